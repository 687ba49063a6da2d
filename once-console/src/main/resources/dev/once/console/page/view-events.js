import { read } from './api.js';
import { actionButton } from './action.js';
import { h, scroll, sheet } from './dom.js';
import { badge, when } from './format.js';
import { go, link } from './route.js';
import { filters, pagedTable } from './table.js';

const STATES = [['dead', 'dead'], ['skipped', 'skipped']];

export async function events({ me, parameters, reload }) {
  if (me.tenants) {
    return [h('h1', {}, 'Events'), h('p', { class: 'note' }, 'Events have no tenant, and you see some tenants alone.')];
  }
  const { handlers, consumers } = await read('events');
  const handler = parameters.handler || handlers[0] || '';
  const state = parameters.state || 'dead';
  return [
    h('h1', {}, 'Event consumers'),
    consumers.length > 0 && sheet('Consumers of this process', scroll('Consumers', h('table', {},
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Handler'), h('th', { scope: 'col' }, 'State'),
        h('th', { scope: 'col', class: 'number' }, 'Lag'), h('th', { scope: 'col', class: 'number' }, 'Not settled'))),
      h('tbody', {}, consumers.map((it) => h('tr', {}, h('th', { scope: 'row' }, it.handler), h('td', {}, badge(it.state)),
        h('td', { class: 'number' }, it.lag), h('td', { class: 'number' }, it.pending))))))),
    handlers.length === 0 ? h('p', { class: 'muted' }, 'No handler has claimed an event.') : [
      sheet('Events that were given up', filters([
        { name: 'handler', title: 'Handler', options: handlers.map((it) => [it, it]) },
        { name: 'state', title: 'State', options: STATES }], { handler, state }, (values) => go('events', values))),
      sheet('', await pagedTable({
        caption: `Events that ${handler} gave up, the oldest first`,
        empty: 'There is none.',
        columns: [
          ['State', (it) => badge(it.state)],
          ['Event', (it) => h('a', { href: link('event', { event: it.event }), class: 'mono' }, it.event)],
          ['Aggregate', (it) => `${it.aggregate} #${it.sequence}`],
          ['Attempts', (it) => String(it.attempts), 'number'],
          ['Given up', (it) => when(it.given_up_at), 'time'],
          ['Error', (it) => it.error ?? ''],
          ['Action', (it) => redrive(me, it, reload)],
        ],
        fetchPage: async (after) => {
          const page = await read('events/given-up', { handler, state, after });
          return { rows: page.events, next: page.next };
        },
      })),
    ],
  ].flat();
}

const redrive = (me, it, then) => actionButton({ me, action: 'redrive-event', title: 'Redrive', then,
  body: { handler: it.handler, event: it.event },
  text: 'The event can be claimed again, and is handled when it is delivered again: ./once events redrive delivers it.' });

export async function event({ me, parameters, reload }) {
  const { events: all } = await read('events/one', { event: parameters.event });
  return [
    h('h1', {}, `Event ${parameters.event}`),
    sheet('By handler', all.length === 0 ? h('p', {}, 'No handler has claimed it.') : scroll('By handler', h('table', {},
      h('thead', {}, h('tr', {}, ['Handler', 'State', 'Attempts', 'Fence', 'Started', 'Error', 'Action'].map((it) => h('th', { scope: 'col' }, it)))),
      h('tbody', {}, all.map((it) => h('tr', {}, h('th', { scope: 'row' }, it.handler), h('td', {}, badge(it.state)),
        h('td', {}, String(it.attempts)), h('td', {}, it.fence), h('td', {}, when(it.started_at)), h('td', {}, it.error ?? ''),
        h('td', {}, ['dead', 'skipped', 'failed'].includes(it.state) && redrive(me, it, reload)))))))),
  ];
}
