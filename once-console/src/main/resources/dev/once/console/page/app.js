// Starts the console: who is the user, which sections are there, and which one is shown.
import { forgetToken, hasToken, read } from './api.js';
import { h } from './dom.js';
import { current, link } from './route.js';
import { signIn } from './sign-in.js';
import { themeButton } from './theme.js';
import { event, events } from './view-events.js';
import { job, jobs } from './view-jobs.js';
import { live } from './view-live.js';
import { record, records } from './view-records.js';
import { run, runs } from './view-runs.js';
import { timeline } from './view-timeline.js';
import { item, webhooks } from './view-webhooks.js';

const VIEWS = { live, records, record, jobs, job, runs, run, webhooks, item, events, event, timeline };
const MENU = ['live', 'records', 'jobs', 'runs', 'webhooks', 'events', 'timeline'];
const PARENTS = { record: 'records', job: 'jobs', run: 'runs', item: 'webhooks', event: 'events' };
// A menu's entry is there if one of its sections is.
const SECTIONS = { webhooks: ['webhooks', 'inbox'] };

const main = document.getElementById('main');
let me;
let leave = () => {};
let turn = 0;

const isThere = (view) => (SECTIONS[view] ?? [view]).some((it) => me.sections.includes(it));

function showMenu(view) {
  const shown = PARENTS[view] ?? view;
  document.getElementById('nav').replaceChildren(...MENU
    .filter(isThere)
    .map((it) => h('a', { href: link(it, {}), 'aria-current': it === shown ? 'page' : null },
      it[0].toUpperCase() + it.slice(1))));
  const out = hasToken() && h('button', { type: 'button', onclick: () => { forgetToken(); start(); } }, 'Sign out');
  document.getElementById('who').replaceChildren(
    h('span', {}, me.name + (me.actions.length ? '' : ' (reads only)')), themeButton(), ...(out ? [out] : []));
}

// What had the focus is gone: a keyboard goes on at the new content.
const reload = () => show().then(() => main.focus({ preventScroll: true }));

async function show() {
  const mine = ++turn;
  leave();
  leave = () => {};
  const { view, parameters } = current();
  const name = VIEWS[view] ? view : (MENU.find(isThere) ?? 'records');
  showMenu(name);
  document.title = `Once: ${name}`;
  try {
    const page = await VIEWS[name]({ me, parameters, reload });
    if (mine !== turn) {
      page.leave?.();
      return;
    }
    leave = page.leave ?? leave;
    main.replaceChildren(...[page.nodes ?? page].flat(Infinity).filter(Boolean));
    main.dataset.view = name;
  } catch (error) {
    if (mine === turn) {
      fail(error);
    }
  }
}

function fail(error) {
  if (error.status === 401) {
    ask();
    return;
  }
  main.replaceChildren(h('h1', {}, error.status === 404 ? 'Not found' : 'That did not work'),
    h('p', { class: 'note bad', role: 'alert' }, error.message),
    h('button', { type: 'button', onclick: reload }, 'Try again'));
}

function ask() {
  const wasWrong = hasToken();
  forgetToken();
  me = undefined;
  document.getElementById('nav').replaceChildren();
  document.getElementById('who').replaceChildren(themeButton());
  main.replaceChildren(signIn(start, wasWrong));
  document.getElementById('token').focus();
  main.dataset.view = 'sign-in';
}

async function start() {
  try {
    me = await read('me');
  } catch (error) {
    // A token that may not see the console at all is no better than one that is not valid.
    if (error.status === 403 && hasToken()) {
      ask();
    } else {
      fail(error);
    }
    return;
  }
  await show();
}

// The address has the view: the link must not change it.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#/') && me) {
    show().then(() => { main.focus({ preventScroll: true }); scrollTo(0, 0); });
  }
});
start();
