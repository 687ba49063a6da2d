import { read } from './api.js';
import { rateTable, rateTile } from './chart.js';
import { facts, h, scroll, sheet } from './dom.js';
import { exact } from './format.js';

const EVERY_MILLIS = 5000;

export async function live() {
  // These stay while their content is replaced: what has the focus keeps it.
  const tiles = h('div', { class: 'tiles' });
  const table = scroll('Rates by minute');
  const alarms = scroll('Alerts');
  const counts = h('div');
  const state = h('span', { class: 'muted' });
  const pause = h('button', { type: 'button', 'aria-pressed': 'false', onclick: toggle }, 'Pause');
  let isPaused = false;

  async function update() {
    const now = await read('live');
    tiles.replaceChildren(...now.series.map((it) => rateTile(it, now.slot_seconds)));
    table.replaceChildren(rateTable(now.series, now.slot_seconds, now.ends_at));
    alarms.replaceChildren(alerts(now.alerts));
    counts.replaceChildren(...(now.entries === undefined ? []
      : [sheet('Records', facts([['Records', now.entries], ['Expired, not purged', now.stale]]))]));
    tell('muted', `until ${exact(now.ends_at)}`);
  }

  function toggle() {
    isPaused = !isPaused;
    pause.setAttribute('aria-pressed', String(isPaused));
  }

  // Numbers that stand still must not look like a service that does.
  function tell(kind, text) {
    state.className = kind;
    state.textContent = text;
  }

  await update();
  const timer = setInterval(() => {
    if (!document.hidden && !isPaused) {
      update().catch((failure) => tell('error', `not up to date: ${failure.message}`));
    }
  }, EVERY_MILLIS);
  return {
    nodes: [h('h1', {}, 'Live'), h('p', { class: 'muted' }, 'What the engine of this process did in the last ten minutes.'),
      h('p', { class: 'more' }, pause, state), tiles,
      h('details', { class: 'sheet' }, h('summary', {}, 'The numbers, by minute'), table),
      h('div', { class: 'grid' }, sheet('Alerts', alarms), counts)],
    leave: () => clearInterval(timer),
  };
}

const alerts = (all) => h('table', {},
  h('thead', {}, h('tr', {}, ['Alert', 'State', 'Measured'].map((it) => h('th', { scope: 'col' }, it)))),
  h('tbody', {}, all.map((it) => h('tr', {},
    h('th', { scope: 'row' }, it.name),
    h('td', {}, h('span', { class: `badge ${it.active ? 'bad' : 'good'}` }, it.active ? 'alert' : 'ok')),
    h('td', {}, it.what, it.active && h('div', {}, it.then))))));
