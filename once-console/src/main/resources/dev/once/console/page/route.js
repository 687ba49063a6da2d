// The address after "#": it never leaves the browser, so keys are in no server's log.
export function link(view, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given).toString();
  return `#/${view}${query ? `?${query}` : ''}`;
}

export function current() {
  const [view, query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  return { view, parameters: Object.fromEntries(new URLSearchParams(query)) };
}

export function go(view, parameters) {
  const target = link(view, parameters);
  if (location.hash === target) {
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  } else {
    location.hash = target;
  }
}
