import { read } from './api.js';
import { actionButton } from './action.js';
import { facts, h, scroll, sheet } from './dom.js';
import { badge, exact, length, names, tone, when } from './format.js';
import { go, link } from './route.js';
import { filters, keepTenant, pagedTable, tenantField, tenantOf } from './table.js';

const STATES = [['dead', 'dead letters'], ['any', 'any'], ['ready', 'ready'], ['waiting', 'waiting'], ['blocked', 'blocked'], ['running', 'running']];

export async function jobs({ me, parameters }) {
  const tenant = tenantOf(me, parameters);
  keepTenant(tenant);
  const state = parameters.state ?? 'dead';
  const counted = await read('jobs/queues');
  const found = tenant && await pagedTable({
    caption: state === 'dead' ? `Dead letters of ${tenant}` : `Unfinished jobs of ${tenant}`,
    empty: 'There is no such job.',
    columns: [
      ['State', (it) => badge(it.state)],
      ['Job', (it) => h('a', { href: link('job', { tenant: it.tenant, id: it.id }) }, `${it.queue}/${it.type}`)],
      ['Resource', (it) => h('span', { class: 'mono' }, it.resource)],
      ['Attempt', (it) => String(it.attempt), 'number'],
      ['Since', (it) => when(it.died_at ?? it.run_at ?? it.enqueued_at), 'time'],
      ['Reason', (it) => it.reason ?? ''],
    ],
    fetchPage: async (after) => {
      const page = state === 'dead'
        ? await read('jobs/dead', { tenant, queue: parameters.queue, after })
        : await read('jobs', { tenant, queue: parameters.queue, type: parameters.type, state: state === 'any' ? '' : state, after });
      return { rows: page.jobs, next: page.next };
    },
  });
  return [
    h('h1', {}, 'Jobs'),
    counted.queues.length > 0 && sheet('Queues', queues(counted.queues)),
    sheet('', filters([...tenantField(me), { name: 'queue', title: 'Queue' }, { name: 'type', title: 'Type' },
      { name: 'state', title: 'State', options: STATES }], { ...parameters, tenant, state }, (values) => go('jobs', values))),
    sheet('', found || h('p', {}, 'Name a tenant.')),
    tenant && await schedules(tenant),
  ];
}

function queues(all) {
  const numbers = ['ready', 'waiting', 'blocked', 'running', 'dead'];
  return scroll('Queues', h('table', {},
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Queue'), numbers.map((it) => h('th', { scope: 'col', class: 'number' }, it)), h('th', { scope: 'col' }, 'Oldest ready'))),
    h('tbody', {}, all.map((it) => h('tr', {}, h('th', { scope: 'row' }, it.queue), numbers.map((n) => h('td', { class: 'number' }, it[n])),
      h('td', {}, it.oldest_ready_ms ? length(Number(it.oldest_ready_ms) / 1000) : ''))))));
}

async function schedules(tenant) {
  const { schedules: all } = await read('jobs/schedules', { tenant });
  return all.length > 0 && sheet('Schedules', scroll('Schedules', h('table', {},
    h('thead', {}, h('tr', {}, ['Name', 'Cron', 'Zone', 'Job', 'Next', 'Last'].map((it) => h('th', { scope: 'col' }, it)))),
    h('tbody', {}, all.map((it) => h('tr', {}, h('th', { scope: 'row' }, it.name), h('td', { class: 'mono' }, it.cron), h('td', {}, it.zone),
      h('td', {}, `${it.queue}/${it.type}`), h('td', {}, when(it.next_at)), h('td', {}, when(it.last_at))))))));
}

export async function job({ me, parameters, reload }) {
  return jobPanel({ me, which: { tenant: parameters.tenant, id: parameters.id }, reload, isPage: true });
}

/** All about one job: a page, or the part of another page. */
export async function jobPanel({ me, which, reload, isPage = false }) {
  const it = await read('jobs/one', which);
  const back = () => go('jobs', { tenant: it.tenant, state: it.state === 'dead' ? 'dead' : 'any' });
  const then = isPage && it.state === 'dead' ? back : reload;
  return [
    isPage && h('h1', {}, badge(it.state), ` ${it.queue}/${it.type}`),
    it.effect && h('section', { class: `note ${tone(it.effect)}` },
      h('h2', {}, 'Is it safe to retry? ', badge(it.effect)), h('p', {}, it.evidence)),
    h('div', { class: 'actions' }, buttons(me, it, which, then, isPage ? back : reload)),
    h('div', { class: 'grid' },
      sheet('Job', jobFacts(it)),
      it.correlation?.length > 0 && sheet('Ids of the request', names(it.correlation)),
      it.payload_bytes && sheet('Payload', it.payload !== undefined
        ? h('pre', { tabindex: '0', 'aria-label': 'Payload' }, it.payload)
        : h('p', { class: 'muted' }, `${it.payload_bytes} bytes, not shown (payloads: ${it.payload_view}).`))),
    it.stack && sheet('Stack trace', h('pre', { tabindex: '0', 'aria-label': 'Stack trace' }, it.stack)),
  ];
}

const jobFacts = (it) => facts([
  ['Tenant', it.tenant], ['Resource', h('code', {}, it.resource)], ['Id', it.id], ['Attempt', String(it.attempt)],
  ['Enqueued', time(it.enqueued_at)], ['Due', time(it.run_at)], ['Died', time(it.died_at)],
  ['Aggregate', it.aggregate], ['Reason', it.reason], ['Record', it.forget_at
    && h('a', { href: link('record', { tenant: it.tenant, scope: `job:${it.queue}`, key: `${it.type}:${it.resource}` }) }, 'record of its key')],
]);

const time = (instant) => (instant ? h('span', {}, when(instant), ` · ${exact(instant)}`) : '');

function buttons(me, it, body, then, back) {
  return it.state === 'dead'
    ? [
      actionButton({ me, action: 'retry-job', title: 'Retry', body, then, text: `The job returns to its queue with all its attempts. ${it.evidence}` }),
      it.effect === 'unknown' && actionButton({ me, action: 'repeat-job', title: 'Repeat', body, then, danger: true,
        text: 'The job returns to its queue, even if its effects were forgotten: what its attempts did may happen a second time.' }),
      actionButton({ me, action: 'discard-job', title: 'Discard', body, then, danger: true, text: 'The job is removed, and its key counts as done.' }),
    ]
    : [
      it.state !== 'running' && actionButton({ me, action: 'run-job', title: 'Run now', body, then, text: 'The job is due now.' }),
      actionButton({ me, action: 'cancel-job', title: 'Cancel', body, then: back, danger: true,
        text: 'The job is removed, and its key counts as done. If its handler runs, it is interrupted; effects outside the database may have happened.' }),
    ];
}
