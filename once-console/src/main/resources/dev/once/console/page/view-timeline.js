import { read } from './api.js';
import { h, sheet } from './dom.js';
import { badge, exact, tone, when } from './format.js';
import { go, link } from './route.js';
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
  const found = tenant && key ? await read('timeline', { tenant, key }) : undefined;
  return [
    h('h1', {}, 'Timeline'),
    sheet('', filters([...tenantField(me), { name: 'key', title: 'Key, run, event or correlation id' }], { ...parameters, tenant }, (values) => go('timeline', values))),
    found && sheet('', found.entries.length === 0 ? h('p', { class: 'muted' }, 'Nothing has this key or id.')
      : h('ol', { class: 'timeline' }, found.entries.map((it) => h('li', { class: tone(it.state) },
        h('span', { class: 'what' }, h('strong', {}, it.module), ' ', h('a', { href: TARGETS[it.kind](it) }, it.what), ' ', badge(it.state)),
        h('span', { class: 'when' }, when(it.at), ` · ${exact(it.at)}`)))),
    found.limits.length > 0 && h('ul', { class: 'muted' }, found.limits.map((it) => h('li', {}, it)))),
  ];
}
