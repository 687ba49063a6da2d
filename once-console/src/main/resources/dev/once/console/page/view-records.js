import { read } from './api.js';
import { actionButton } from './action.js';
import { facts, h, sheet } from './dom.js';
import { badge, exact, names, tone, when } from './format.js';
import { go, link } from './route.js';
import { filters, keepTenant, pagedTable, tenantField } from './table.js';

const STATES = [['', 'any'], ['in_progress', 'in progress'], ['uncertain', 'uncertain'], ['completed', 'completed'], ['failed', 'failed'], ['open', 'open']];
const STUCK = { state: 'in_progress', older_than_seconds: '300' };

export async function records({ me, parameters }) {
  keepTenant(parameters.tenant);
  const tenant = parameters.tenant ? { tenant: parameters.tenant } : {};
  const needsTenant = me.tenants?.length > 1 && !parameters.tenant;
  const table = needsTenant ? h('p', {}, 'Choose a tenant.') : await pagedTable({
    caption: 'Records, in the order of tenant, scope and key',
    empty: 'There is no such record.',
    columns: [
      ['State', (it) => badge(it.state)],
      ['Key', (it) => h('a', { href: link('record', { tenant: it.tenant, scope: it.scope, key: it.key }), class: 'mono' }, it.key)],
      ['Scope', (it) => h('span', { class: 'mono' }, it.scope)],
      ['Tenant', (it) => it.tenant],
      ['Attempts', (it) => String(it.attempts), 'number'],
      ['Created', (it) => when(it.created_at), 'time'],
      ['Expires', (it) => when(it.expires_at), 'time'],
    ],
    fetchPage: async (after) => {
      const page = await read('records', { ...parameters, after });
      return { rows: page.records, next: page.next, searched: page.searched };
    },
  });
  return [
    h('h1', {}, 'Records'),
    h('p', { class: 'presets' },
      h('a', { href: link('records', tenant) }, 'All'),
      h('a', { href: link('records', { ...tenant, state: 'uncertain' }) }, 'Uncertain: a decision is needed'),
      h('a', { href: link('records', { ...tenant, ...STUCK }) }, 'Stuck: in progress for more than 5 minutes')),
    sheet('', filters([
      ...tenantField(me),
      { name: 'scope', title: 'Scope' },
      { name: 'key', title: 'Key' },
      { name: 'state', title: 'State', options: STATES },
      { name: 'older_than_seconds', title: 'Older than (seconds)', type: 'number' },
    ], parameters, (values) => go('records', values))),
    sheet('', table),
  ];
}

export async function record({ me, parameters, reload }) {
  const key = { tenant: parameters.tenant, scope: parameters.scope, key: parameters.key };
  const it = await read('records/one', key);
  return [
    h('h1', {}, badge(it.state), ' ', it.key),
    explanation(it),
    h('div', { class: 'actions' }, buttons(me, it, key, reload)),
    h('div', { class: 'grid' },
      sheet('Record', facts([
        ['Tenant', it.tenant], ['Scope', h('code', {}, it.scope)], ['Key', h('code', {}, it.key)],
        ['Fence', it.fence], ['Attempts', it.attempts?.toString()], ['Recovery', it.recovery],
        ['Fingerprint', it.fingerprint], ['Hash in logs', it.key_hash && h('code', {}, it.key_hash)],
        ['Same key', h('a', { href: link('timeline', { tenant: it.tenant, key: it.key }) }, 'timeline')],
      ])),
      it.created_at && sheet('Timeline', history(it)),
      it.correlation?.length > 0 && sheet('Ids of the request', names(it.correlation)),
      it.outcome && sheet('Outcome', outcome(it.outcome))),
  ];
}

function explanation(it) {
  const texts = {
    uncertain: ['warn', 'The owner\'s lease ran out, and the effect must not be repeated without asking. Find out whether it happened, then say so here.'],
    in_progress: it.lease_ran_out
      ? ['warn', 'The owner\'s lease ran out. The next request with this key executes the effect again.']
      : ['info', 'An owner executes the effect now. Other requests with this key wait or are told so.'],
    open: ['info', 'The effect did not happen. The next request with this key executes it.'],
    unreadable: ['bad', it.unreadable],
  };
  const [kind, text] = texts[it.state] ?? [];
  return text ? h('p', { class: `note ${kind}` }, text) : null;
}

function buttons(me, it, body, then) {
  const isUncertain = it.state === 'uncertain';
  const isOpenEnded = isUncertain || it.state === 'in_progress';
  return [
    isUncertain && actionButton({ me, action: 'settle-record', title: 'It happened', body: { ...body, happened: true }, then,
      text: 'The record is completed with this outcome, and every retry gets it. Leave the status empty if no HTTP answer is replayed.',
      fields: [
        { name: 'status', title: 'HTTP status', type: 'number' },
        { name: 'content_type', title: 'Content type', value: 'application/json' },
        { name: 'body', title: 'Body', type: 'area' },
        { name: 'keep_hours', title: 'Kept for hours', type: 'number', value: '24' },
        { name: 'failed', title: 'The effect ended in a failure', type: 'checkbox' },
      ] }),
    isUncertain && actionButton({ me, action: 'settle-record', title: 'It did not happen', body: { ...body, happened: false }, then,
      text: 'The key is free: the next request with it executes the effect.' }),
    isOpenEnded && !isUncertain && actionButton({ me, action: 'release-record', title: 'Release', body, then, danger: true,
      text: 'The key is free, as if the effect had not happened. An owner that still runs cannot complete it. If the effect did happen, the next request repeats it.' }),
    !isOpenEnded && actionButton({ me, action: 'expire-record', title: 'Expire', body, then: () => go('records', {}), danger: true,
      text: 'The record is forgotten. The next request with this key executes the effect as a new one.' }),
  ];
}

function history(it) {
  const entries = [
    [it.created_at, 'info', 'claimed for the first time'],
    [it.lease_until, it.outcome || it.state === 'open' ? 'info' : it.lease_ran_out ? 'warn' : 'good',
      it.lease_ran_out ? 'the last lease ended' : 'the lease ends'],
    [it.expires_at, tone(it.state), 'expires and is forgotten'],
  ].sort((a, b) => Date.parse(a[0]) - Date.parse(b[0]));
  return h('ol', { class: 'timeline' }, entries.map(([at, kind, what]) =>
    h('li', { class: kind }, h('span', { class: 'what' }, what), h('span', { class: 'when' }, when(at), ` · ${exact(at)}`))));
}

function outcome(it) {
  return [
    facts([
      ['Result', it.failed ? 'failed' : 'completed'], ['Status', it.status ? String(it.status) : ''],
      ['Body', it.payload_kept ? `${it.payload_bytes} bytes` : `${it.payload_bytes} bytes, too large to keep`],
      ['Headers', it.headers.length > 0 && names(it.headers)],
    ]),
    it.payload !== undefined
      ? h('pre', { tabindex: '0', 'aria-label': 'Body' }, it.payload)
      : Number(it.payload_bytes) > 0 && h('p', { class: 'muted' }, `The body is not shown (payloads: ${it.payload_view}).`),
  ];
}
