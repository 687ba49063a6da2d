// Charges an invoice: one worker at a time executes, and every later one gets its receipt.
// usage: ONCE_TOKEN=... node worker.mjs INVOICE AMOUNT
import { randomUUID } from "node:crypto";
import { appendFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const { ONCE_API = "http://127.0.0.1:8080/once/v1", ONCE_TOKEN = "" } = process.env;
const { EFFECT_SECONDS = "1", LEDGER = "ledger.txt" } = process.env;
const leaseMillis = Number(process.env.LEASE_MILLIS ?? 30_000);
const headers = { Authorization: `Bearer ${ONCE_TOKEN}`, "Content-Type": "application/json" };

// snippet: post
/** Sends a request until it is answered: each request may be sent again, unchanged. */
async function post(path, body) {
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  for (;;) {
    try {
      const signal = AbortSignal.timeout(10_000);
      const answer = await fetch(ONCE_API + path, { ...request, signal });
      const text = await answer.text();
      if (answer.status !== 503) return { status: answer.status, ...JSON.parse(text || "{}") };
    } catch {} // There was no answer, or half of one.
    await sleep(1000);
  }
}
// end
// snippet: lease
/** Renews a grant. It counts from before a request was sent, so it ends early, not late. */
class Lease {
  constructor(grant, sent) {
    this.ends = sent + leaseMillis;
    this.timer = setInterval(() => this.renew(grant), leaseMillis / 3);
  }

  async renew(grant) {
    const sent = performance.now();
    const answer = await post("/claims/renew", { ...grant, lease_millis: leaseMillis });
    this.ends = answer.status === 204 ? sent + leaseMillis : 0;
  }

  check() {
    if (performance.now() >= this.ends) throw new Error("the lease is lost");
  }
}
// end
// snippet: effect
/** The effect: a line in a file. A call to another system would take the fence along. */
async function charge(invoice, amount, fence, lease) {
  await sleep(Number(EFFECT_SECONDS) * 1000);
  lease.check(); // before the step that cannot be undone
  await appendFile(LEDGER, `${invoice} ${amount} ${fence}\n`);
  return `receipt for ${invoice}, ${amount}`;
}
// end

// snippet: main
const [invoice, amount] = process.argv.slice(2);
const key = { scope: "charges", key: invoice };
let answer, sent;
do {
  if (answer) await sleep(answer.retry_after_millis); // Its owner may complete it, or die.
  sent = performance.now();
  const terms = { token: randomUUID(), request: { amount }, lease_millis: leaseMillis };
  answer = await post("/claims", { ...key, ...terms });
} while (answer.result === "held");
if (answer.result === "replay") {
  console.log("replayed:", Buffer.from(answer.outcome.payload, "base64").toString());
} else if (answer.result === "granted") {
  console.log("executing under fence", answer.fence);
  const grant = { ...key, fence: answer.fence };
  const lease = new Lease(grant, sent);
  const receipt = await charge(invoice, amount, answer.fence, lease);
  clearInterval(lease.timer);
  const outcome = { payload: Buffer.from(receipt).toString("base64") };
  const { status } = await post("/claims/complete", { ...grant, outcome });
  console.log(status === 204 ? `executed: ${receipt}` : "the lease was lost after the effect");
} else {
  throw new Error(answer.result ?? answer.code); // mismatched: another amount; uncertain: ask
}
// end
