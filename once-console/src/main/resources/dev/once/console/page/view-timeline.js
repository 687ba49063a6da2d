import { read } from './api.js';
import { h, sheet } from './dom.js';
import { badge, exact, tone, when } from './format.js';
import { go, link } from './route.js';
import { pages } from './pages.js';
import { filters, keepTenant, tenantField, tenantOf } from './table.js';

const TARGETS = {
  record: (it) => link('record', { tenant: it.tenant, scope: it.scope, key: it.key }),
  job: (it) => link('job', { tenant: it.tenant, id: it.id }),
  run: (it) => link('run', { tenant: it.tenant, run: it.run }),
  step: (it) => link('run', { tenant: it.tenant, run: it.run }),
  event: (it) => link('event', { event: it.event }),
};

export async function timeline({ me, parameters }) {
  const tenant = tenantOf(me, parameters);
  keepTenant(tenant);
  const { key } = parameters;
  return [
    h('h1', {}, 'Timeline'),
    sheet('', filters([...tenantField(me), { name: 'key', title: 'Key, run, event or correlation id' }], { ...parameters, tenant }, (values) => go('timeline', values))),
    tenant && key && sheet('', await found(tenant, key)),
  ];
}

// Each call finds some of the entries; what is shown is always in the order of time.
async function found(tenant, key) {
  const list = h('ol', { class: 'timeline' });
  const entries = new Map();
  const more = await pages({
    fetchPage: (after) => read('timeline', { tenant, key, after }),
    add: (page) => {
      for (const it of page.entries) {
        entries.set(identity(it), it);
      }
      list.replaceChildren(...[...entries.values()].sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).map(entry));
      return page.entries.length;
    },
    readsAll: true,
    empty: 'Nothing has this key or id.',
    shown: (count) => `${count} shown`,
  });
  return [list, more];
}

// A job that ended between two calls is one entry, not two.
const identity = (it) => (it.id ? `${it.kind === 'finished' ? 'job' : it.kind} ${it.id}`
  : JSON.stringify([it.kind, it.at, it.module, it.what, it.scope, it.key, it.run, it.event]));

function entry(it) {
  const target = TARGETS[it.kind];
  return h('li', { class: tone(it.state) },
    h('span', { class: 'what' }, h('strong', {}, it.module), ' ', target ? h('a', { href: target(it) }, it.what) : it.what, ' ', badge(it.state)),
    h('span', { class: 'when' }, when(it.at), ` · ${exact(it.at)}`));
}
