// Makes elements. Text is always text: nothing here parses HTML, so no value can become markup.
const SVG = 'http://www.w3.org/2000/svg';

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) {
      continue;
    }
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child !== undefined && child !== null && child !== false) {
      element.append(child);
    }
  }
  return element;
}

export const h = (tag, properties = {}, ...children) =>
  fill(document.createElement(tag), properties, children);

export const s = (tag, properties = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), properties, children);

export const sheet = (title, ...children) =>
  h('section', { class: 'sheet' }, title && h('h2', {}, title), ...children);

/** What may be wider than the window, and is scrolled with the keyboard too. */
export const scroll = (label, ...children) =>
  h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, ...children);

export const facts = (rows) =>
  h('dl', { class: 'facts' },
    rows.filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));

export function say(text) {
  const status = document.getElementById('status');
  status.textContent = text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => status.replaceChildren(), 6000);
}
