// The senders' own libraries. "sign" prints deliveries that they signed; "verify" reads deliveries
// from the standard input, and prints for each whether they accept it.
import { readFileSync } from 'node:fs'
import { sign as signAsGitHub } from '@octokit/webhooks-methods'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'

const AT = 1614265330
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
const STANDARD_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const SECRET = 'whsec_made_for_this_test'
const stripe = new Stripe('sk_test_none')

const BODIES = [
  '{"id":"evt_1","type":"invoice.paid","action":"opened","issue":{"number":7},"data":{"n":1.0}}',
  '{ "id" : "evt_2",\n  "type": "invoice.paid", "action": "opened", "issue": {"title": "é \\u00e9 🚀 \\ud83d\\ude80"} }\n'
]

async function sign() {
  const deliveries = []
  for (const body of BODIES) {
    const payload = { payload: body, secret: SECRET, timestamp: AT }
    add('stripe', SECRET, body, {
      'stripe-signature': stripe.webhooks.generateTestHeaderString(payload)
    })
    add('github', SECRET, body, {
      'x-github-event': 'issues',
      'x-github-delivery': `72d3162e-cc78-11e3-81ab-${JSON.parse(body).id}`,
      'x-hub-signature-256': await signAsGitHub(SECRET, body)
    })
    addStandard('standard-webhooks', 'webhook', new StandardWebhook(STANDARD_SECRET), body)
    addStandard('svix', 'svix', new SvixWebhook(STANDARD_SECRET), body)
  }
  return deliveries

  function addStandard(provider, prefix, webhook, body) {
    const id = `${ID}_${JSON.parse(body).id}`
    add(provider, STANDARD_SECRET, body, {
      [`${prefix}-id`]: id,
      [`${prefix}-timestamp`]: String(AT),
      [`${prefix}-signature`]: webhook.sign(id, new Date(AT * 1000), body)
    })
  }

  function add(provider, secret, body, headers) {
    deliveries.push({ provider, secret, at: AT, headers, body })
  }
}

function verify() {
  const verifiers = { standardwebhooks: StandardWebhook, svix: SvixWebhook }
  return JSON.parse(readFileSync(0, 'utf8')).map(({ secret, headers, body }) =>
    Object.fromEntries(
      Object.entries(verifiers).map(([name, Verifier]) => {
        try {
          new Verifier(secret).verify(body, headers)
          return [name, 'accepted']
        } catch (error) {
          return [name, error.message]
        }
      })
    )
  )
}

const result = process.argv[2] === 'sign' ? await sign() : verify()
process.stdout.write(JSON.stringify(result, null, 2) + '\n')
