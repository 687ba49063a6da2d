// A line of counts, readable without colour: its caption has the numbers, and a table has all of them.
import { h, s } from './dom.js';

const WIDTH = 240;
const HEIGHT = 84;
const TOP = 8;

export function rateTile({ name, counts }, slotSeconds) {
  const perMinute = Math.round(60 / slotSeconds);
  const minute = counts.slice(-perMinute).reduce((sum, it) => sum + it, 0);
  const total = counts.reduce((sum, it) => sum + it, 0);
  const highest = Math.max(1, ...counts);
  const kind = `k-${name.replaceAll(' ', '-')}`;
  const points = counts.map((count, index) => [
    (index / (counts.length - 1)) * WIDTH,
    HEIGHT - 1 - (count / highest) * (HEIGHT - TOP),
  ]);
  const line = points.map(([x, y], index) => `${index ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
  return h('figure', { class: 'tile', 'data-kind': name },
    h('figcaption', {}, h('span', {}, name), h('span', {}, h('strong', {}, String(minute)), ' a minute')),
    s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img',
      'aria-label': `${name}: ${minute} in the last minute, ${total} in ten minutes, at most ${Math.max(0, ...counts)} in ${slotSeconds} seconds` },
    s('path', { class: 'chart-axis', d: `M0 ${HEIGHT - 0.5}H${WIDTH}` }),
    s('path', { class: `chart-area ${kind}`, d: `${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`, stroke: 'none' }),
    s('path', { class: `chart-line ${kind}`, d: line })),
    h('div', { class: 'axis' }, h('span', {}, '10 min ago'), h('span', {}, `${total} in all`), h('span', {}, 'now')));
}

export function rateTable(series, slotSeconds, endsAt) {
  const perMinute = Math.round(60 / slotSeconds);
  const minutes = series[0].counts.length / perMinute;
  const rows = Array.from({ length: minutes }, (_, index) => {
    const from = index * perMinute;
    return [minutes - index, series.map((it) => it.counts.slice(from, from + perMinute).reduce((sum, n) => sum + n, 0))];
  });
  return h('table', {}, h('caption', {}, `Until ${endsAt}`),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Minutes ago'), series.map((it) => h('th', { scope: 'col', class: 'number' }, it.name)))),
    h('tbody', {}, rows.map(([ago, values]) => h('tr', {}, h('th', { scope: 'row' }, String(ago - 1)), values.map((it) => h('td', { class: 'number' }, String(it)))))));
}

/** A bar from `from` to `to` within the whole, in milliseconds. */
export function bar(from, to, start, end, kind) {
  const all = Math.max(1, end - start);
  const x = Math.max(0, ((from - start) / all) * 220);
  const width = Math.max(3, ((to - from) / all) * 220);
  return s('svg', { class: 'gantt', viewBox: '0 0 220 14', 'aria-hidden': 'true' },
    s('rect', { class: 'lane', x: 0, y: 6, width: 220, height: 2 }),
    s('rect', { class: kind, x: Math.min(x, 217), y: 1, width: Math.min(width, 220 - Math.min(x, 217)), height: 12, rx: 2 }));
}
