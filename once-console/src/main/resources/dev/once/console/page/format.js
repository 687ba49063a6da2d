import { h } from './dom.js';

const UNITS = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];

// "3 min", of a number of seconds.
export function length(seconds) {
  const size = Math.abs(seconds);
  if (size > 0 && size < 1) {
    return `${Math.round(size * 1000)} ms`;
  }
  const [unit, of] = UNITS.find(([, it]) => size >= it) ?? UNITS.at(-1);
  return `${Math.floor(size / of)} ${unit}`;
}

export function when(instant) {
  if (!instant) {
    return '';
  }
  const seconds = (Date.now() - Date.parse(instant)) / 1000;
  const text = seconds >= 0 ? `${length(seconds)} ago` : `in ${length(seconds)}`;
  return h('time', { datetime: instant, title: instant }, text);
}

export const exact = (instant) => instant.replace('T', ' ').replace(/(\.\d{3})\d*Z$/, '$1Z').replace('Z', ' UTC');

const TONES = {
  completed: 'good', done: 'good', active: 'good', running: 'info', 'in progress': 'info',
  in_progress: 'info', ready: 'info', begun: 'info', open: 'calm', waiting: 'calm', blocked: 'warn',
  registered: 'calm', uncertain: 'warn', unknown: 'warn', failing: 'warn', skipped: 'warn', paused: 'warn',
  compensating: 'warn', expired: 'warn', failed: 'bad', dead: 'bad', disabled: 'bad', unreadable: 'bad', cancelled: 'calm',
  abandoned: 'calm', 'no effect': 'good', processed: 'good', discarded: 'calm', recorded: 'calm', conflict: 'bad',
};

export const tone = (state) => TONES[state] ?? 'calm';

export const badge = (state) =>
  h('span', { class: `badge ${tone(state)}` }, state.replaceAll('_', ' '));

export const names = (headers) =>
  h('ul', {}, headers.map((it) => h('li', { class: 'mono' }, it.value === undefined ? it.name : `${it.name}: ${it.value}`)));
