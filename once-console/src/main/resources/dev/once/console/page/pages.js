// What is read page by page: the next page starts after the last row, and nothing counts all rows.
import { h } from './dom.js';

// A search may read many rows without a hit. It goes on by itself for so many calls.
const MAX_CALLS = 25;

/**
 * Reads the first page, and returns the line below it: how far it read, and a button to go on.
 * fetchPage: the cursor to { next, searched, searching }; add: shows a page, and returns how many it had.
 * With readsAll it goes on although something was found.
 */
export async function pages({ fetchPage, add, empty, shown, readsAll = false }) {
  const state = h('span', { class: 'muted', role: 'status' });
  const button = h('button', { type: 'button', onclick: () => load() });
  const line = h('div', { class: 'more' }, state);
  let next;
  let count = 0;
  let searched = 0;
  let wasShown = false;

  async function step() {
    const page = await fetchPage(next);
    next = page.next;
    searched += Number(page.searched ?? 0);
    const had = add(page);
    count += had;
    return { had, searching: page.searching };
  }

  const progress = () => (searched > 0 ? `${searched.toLocaleString('en')} searched so far` : '');

  // A page that was left must not go on: its line is not in the document any more.
  const isLeft = () => wasShown && !line.isConnected;

  async function load(calls = 0) {
    const hadFocus = document.activeElement === button;
    button.disabled = true;
    try {
      let found = 0;
      for (let i = calls; i < MAX_CALLS && !isLeft(); i++) {
        const { had, searching } = await step();
        wasShown ||= line.isConnected;
        found += had;
        if (!next || (found > 0 && !readsAll)) {
          break;
        }
        state.textContent = ['searching', searching, progress() && `(${progress()})`].filter(Boolean).join(' ');
      }
      finish();
    } catch (failure) {
      state.textContent = failure.message;
      offer('Try again');
    }
    if (hadFocus && button.isConnected) {
      button.focus();
    }
  }

  function finish() {
    if (!next) {
      button.remove();
      state.textContent = count === 0 ? empty : '';
      return;
    }
    state.textContent = [count === 0 ? 'nothing found' : shown(count), progress()].filter(Boolean).join(', ');
    offer(count === 0 || readsAll ? 'Search further' : 'More');
  }

  function offer(title) {
    button.textContent = title;
    button.disabled = false;
    line.prepend(button);
  }

  // The first call is waited for, so that most pages appear at once and complete. A search goes on after that.
  const first = await step();
  if (next && (first.had === 0 || readsAll)) {
    state.textContent = 'searching';
    load(1);
  } else {
    finish();
  }
  return line;
}
