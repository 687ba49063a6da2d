import { read } from './api.js';
import { actionButton } from './action.js';
import { facts, h, scroll, sheet } from './dom.js';
import { badge, exact, when } from './format.js';
import { go, link } from './route.js';
import { filters, keepTenant, pagedTable, tenantField, tenantOf } from './table.js';
import { jobPanel } from './view-jobs.js';

const STATES = [['', 'any'], ['dead', 'dead letters'], ['ready', 'ready'], ['waiting', 'waiting'], ['running', 'running'],
  ['processed', 'processed'], ['discarded', 'discarded'], ['recorded', 'recorded, without a job'], ['conflict', 'conflicts']];

// What the tenant receives, and where its messages are sent.
export async function webhooks({ me, parameters, reload }) {
  const tenant = tenantOf(me, parameters);
  keepTenant(tenant);
  const providers = tenant && me.sections.includes('inbox') ? (await read('inbox/providers', { tenant })).providers : [];
  return [
    h('h1', {}, 'Webhooks'),
    tenantField(me).length > 0 && sheet('', filters(tenantField(me), { tenant }, (values) => go('webhooks', values))),
    !tenant && h('p', {}, 'Name a tenant.'),
    providers.length > 0 && await received(tenant, providers, parameters),
    tenant && me.sections.includes('inbox') && providers.length === 0 && sheet(`Received for ${tenant}`, h('p', { class: 'muted' }, 'No provider sends for this tenant.')),
    tenant && me.sections.includes('webhooks') && await endpoints(me, tenant, reload),
  ];
}

async function received(tenant, providers, parameters) {
  const provider = parameters.provider || providers[0];
  const state = parameters.state ?? '';
  return sheet(`Received for ${tenant}`,
    filters([
      { name: 'provider', title: 'Provider', options: providers.map((it) => [it, it]) },
      { name: 'state', title: 'State', options: STATES },
    ], { provider, state }, (values) => go('webhooks', { tenant, ...values })),
    await pagedTable({
      caption: `Items from ${provider}`,
      empty: 'There is no such item.',
      columns: [
        ['State', (it) => badge(it.state)],
        ['Item', (it) => h('a', { href: itemLink(it), class: 'mono' }, it.key)],
        ['Attempts', (it) => String(it.attempt), 'number'],
        ['Received', (it) => when(it.received_at), 'time'],
        ['Due', (it) => (it.state === 'waiting' ? when(it.run_at) : ''), 'time'],
        ['Reason', (it) => it.reason ?? ''],
      ],
      fetchPage: async (after) => {
        const page = await read('inbox', { tenant, provider, state, after });
        return { rows: page.items, next: page.next };
      },
    }));
}

// A conflict has a record alone; the id of a dead or waiting item may be shortened, its job's is not.
function itemLink(it) {
  if (it.state === 'conflict') {
    return link('record', { tenant: it.tenant, scope: `webhook_conflict:${it.provider}`, key: it.key });
  }
  return link('item', { tenant: it.tenant, provider: it.provider, key: it.key, job: it.job });
}

export async function item({ me, parameters, reload }) {
  const { tenant, provider, key, job } = parameters;
  const it = await read('inbox/one', { tenant, provider, key }).catch((failure) => {
    if (failure.status === 404 && job) {
      return { tenant, provider, key, job, state: 'recorded' };
    }
    throw failure;
  });
  const hasJob = it.job && ['waiting', 'ready', 'running', 'dead', 'recorded'].includes(it.state);
  return [
    h('h1', {}, badge(it.state), ` ${it.provider} ${it.key}`),
    hasJob && await jobPanel({ me, which: { tenant, id: it.job }, reload }),
    sheet('Item', facts([
      ['Tenant', it.tenant], ['Provider', it.provider], ['Id', h('code', {}, it.key)],
      ['Received', it.received_at && h('span', {}, when(it.received_at), ` · ${exact(it.received_at)}`)],
      ['Record', it.scope && h('a', { href: link('record', { tenant, scope: it.scope, key: it.key }) }, 'record of the item')],
      ['Same key', h('a', { href: link('timeline', { tenant, key: it.key }) }, 'timeline')],
    ])),
  ];
}

async function endpoints(me, tenant, reload) {
  const { endpoints: all } = await read('webhooks', { tenant });
  const titles = ['State', 'Endpoint', 'URL', 'Types', 'Since', 'Last failure', ''];
  return sheet(`Endpoints of ${tenant}`,
    all.length === 0 ? h('p', { class: 'muted' }, 'There is no endpoint.')
      : scroll('Endpoints', h('table', {},
        h('thead', {}, h('tr', {}, titles.map((it) => h('th', { scope: 'col' }, it || h('span', {}, 'Actions'))))),
        h('tbody', {}, all.map((it) => endpoint(me, tenant, it, reload))))),
    me.sections.includes('jobs') && h('p', {}, h('a', { href: link('jobs', { tenant, queue: 'webhooks', state: 'any' }) }, 'Deliveries that wait'), ' · ',
      h('a', { href: link('jobs', { tenant, queue: 'webhooks', state: 'dead' }) }, 'Deliveries that were given up')));
}

function endpoint(me, tenant, it, reload) {
  const body = { tenant, endpoint: it.endpoint };
  return h('tr', {},
    h('td', {}, badge(it.state)), h('th', { scope: 'row' }, it.endpoint), h('td', { class: 'mono' }, it.url ?? ''),
    h('td', {}, it.types.length ? it.types.join(', ') : 'all'),
    h('td', { class: 'time' }, when(it.disabled_at ?? it.failing_since)),
    h('td', {}, it.disabled_reason ?? it.last_failure ?? ''),
    h('td', {}, it.state === 'disabled'
      ? actionButton({ me, action: 'enable-endpoint', title: 'Enable', body, then: reload, text: 'All that waits is sent, in order.' })
      : actionButton({ me, action: 'disable-endpoint', title: 'Disable', body, then: reload, danger: true, text: 'It is not called any more. Its messages wait.' })));
}
