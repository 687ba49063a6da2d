import { read } from './api.js';
import { rateTable, rateTile } from './chart.js';
import { facts, h, sheet } from './dom.js';

const EVERY_MILLIS = 5000;

export async function live() {
  const body = h('div');

  async function update() {
    const now = await read('live');
    const open = body.querySelector('details')?.open ?? false;
    const table = rateTable(now.series, now.slot_seconds, now.ends_at);
    table.open = open;
    body.replaceChildren(
      h('div', { class: 'tiles' }, now.series.map((it) => rateTile(it, now.slot_seconds))),
      table,
      h('div', { class: 'grid' },
        sheet('Alerts', alerts(now.alerts)),
        now.entries !== undefined && sheet('Records', facts([
          ['Records', now.entries], ['Expired, not purged', now.stale]]))));
  }

  await update();
  const timer = setInterval(() => {
    if (!document.hidden) {
      update().catch(() => {});
    }
  }, EVERY_MILLIS);
  return {
    nodes: [h('h1', {}, 'Live'), h('p', { class: 'muted' }, 'What the engine of this process did in the last ten minutes.'), body],
    leave: () => clearInterval(timer),
  };
}

function alerts(all) {
  return h('table', {}, h('thead', {}, h('tr', {}, ['Alert', 'State', 'Measured'].map((it) => h('th', { scope: 'col' }, it)))),
    h('tbody', {}, all.map((it) => h('tr', {},
      h('th', { scope: 'row' }, it.name),
      h('td', {}, h('span', { class: `badge ${it.active ? 'bad' : 'good'}` }, it.active ? 'alert' : 'ok')),
      h('td', {}, it.what, it.active && h('div', {}, it.then))))));
}
