// The boxes of the page's layout, in one flat array: channel, left, top, width, height of each.
// limit: the height of the clip, CSS px. The numbers of the channels are those in layout.py.
(limit) => {
  const boxes = [];
  const add = (channel, r) => {
    const top = r.top + scrollY, left = r.left + scrollX;
    if (r.width > 1 && r.height > 1 && top < limit && left < 1280)
      boxes.push(channel, Math.round(left), Math.round(top), Math.round(r.width),
                 Math.round(r.height));
  };
  const within = (e, selector) => e.closest(selector) !== null;
  const main = e => within(e, '[data-main]') && !within(e, '[data-boiler]');
  const kind = e => within(e, 'pre') ? 5
    : within(e, 'button,.s-button,.s-button-2,label') ? 4
    : within(e, 'h1,h2,h3,h4,h5,h6') ? 2 : within(e, 'a') ? 1 : 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    if (!node.data.trim() || within(e, 'script,style,noscript,option')) continue;
    range.selectNodeContents(node);
    const channel = kind(e), own = main(e);
    for (const r of range.getClientRects()) {
      add(channel, r);
      if (own) add(6, r);
    }
  }
  for (const e of document.body.querySelectorAll('*')) {
    const tag = e.tagName.toLowerCase(), r = e.getBoundingClientRect();
    if (r.width < 2 || r.height < 2) continue;
    const large = r.width * r.height >= 1024;
    if (['img', 'video', 'canvas', 'iframe'].includes(tag) || (tag === 'svg' && large) ||
        (large && getComputedStyle(e).backgroundImage.includes('url('))) {
      add(3, r);
      if (main(e)) add(6, r);
    } else if (['input', 'textarea', 'select', 'button'].includes(tag)) add(4, r);
    if (e.hasAttribute('data-item')) add(7, r);
    if (e.hasAttribute('data-boiler')) add(8, r);
  }
  return boxes;
}
