'use strict';
// Zoom, drag and search in the drawing, and the ways between drawing and tables. Without it the page
// shows everything as well.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const canvas = one('.canvas');
  const drawing = one('.drawing');
  const groupOf = (element) => element.closest('[data-group]')?.dataset.group;

  function choose(group) {
    for (const element of all('.chosen')) element.classList.remove('chosen');
    for (const element of all(`[data-group="${group}"]`)) element.classList.add('chosen');
  }

  // The drawing's corner in the view and how many pixels one of its units takes.
  const view = {x: 0, y: 0, scale: 1};
  let whole = null;

  function show() {
    const {width, height} = canvas.getBoundingClientRect();
    drawing.setAttribute('viewBox',
        `${view.x} ${view.y} ${width / view.scale} ${height / view.scale}`);
  }

  function zoom(factor, px, py) {
    const scale = Math.min(8, Math.max(0.02, view.scale * factor));
    view.x += px / view.scale - px / scale;
    view.y += py / view.scale - py / scale;
    view.scale = scale;
    show();
  }

  function centre(element, least) {
    const box = element.getBBox();
    const {width, height} = canvas.getBoundingClientRect();
    view.scale = Math.max(view.scale, least);
    view.x = box.x + box.width / 2 - width / view.scale / 2;
    view.y = box.y + box.height / 2 - height / view.scale / 2;
    show();
  }

  function fit() {
    const {width, height} = canvas.getBoundingClientRect();
    view.scale = Math.min(width / whole.width, height / whole.height);
    view.x = whole.x - (width / view.scale - whole.width) / 2;
    view.y = whole.y;
    show();
  }

  function start() {
    const {width} = canvas.getBoundingClientRect();
    const first = one('.drawing .caller, .drawing .node');
    view.scale = Math.min(1.25, Math.max(0.55, width / whole.width));
    if (first) centre(first, view.scale);
    // Nothing of it is cut off that has room, and no room is left where something is cut off.
    const free = width / view.scale - whole.width;
    view.x = free >= 0 ? whole.x - free / 2
                       : Math.min(Math.max(view.x, whole.x), whole.x - free);
    view.y = whole.y;
    show();
  }

  function middle(factor) {
    const {width, height} = canvas.getBoundingClientRect();
    zoom(factor, width / 2, height / 2);
  }

  function drag() {
    let from = null;
    let moved = false;
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button === 0) from = {x: event.clientX, y: event.clientY, moved: false};
      moved = false;
    });
    window.addEventListener('pointermove', (event) => {
      if (!from) return;
      const dx = event.clientX - from.x;
      const dy = event.clientY - from.y;
      if (!moved && Math.hypot(dx, dy) < 4) return;
      moved = true;
      canvas.classList.add('dragged');
      view.x -= dx / view.scale;
      view.y -= dy / view.scale;
      from = {x: event.clientX, y: event.clientY};
      show();
    });
    window.addEventListener('pointerup', () => {
      from = null;
      canvas.classList.remove('dragged');
    });
    canvas.addEventListener('click', (event) => {
      const group = groupOf(event.target);
      if (moved || group === undefined) return;
      choose(group);
      one(`tr[data-group="${group}"]`)?.scrollIntoView({block: 'center'});
    });
  }

  function search() {
    const box = one('#search');
    const count = one('#count');
    const nodes = all('.drawing .node');
    const texts = nodes.map((node) => node.textContent.toLowerCase());
    let found = [];
    let next = 0;
    const advance = () => {
      if (found.length === 0) return;
      centre(found[next], 0.9);
      count.textContent = `${next + 1} of ${found.length}`;
      next = (next + 1) % found.length;
    };
    box.addEventListener('input', () => {
      const wanted = box.value.trim().toLowerCase();
      found = nodes.filter((node, i) => wanted !== '' && texts[i].includes(wanted));
      for (const node of nodes) node.classList.toggle('found', found.includes(node));
      drawing.classList.toggle('searched', wanted !== '');
      count.textContent = wanted === '' ? '' : 'none';
      next = 0;
      advance();
    });
    box.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') advance();
      if (event.key === 'Escape') {
        box.value = '';
        box.dispatchEvent(new Event('input'));
      }
    });
  }

  // For those without a mouse: arrows move the drawing, + and - change its size.
  function keys() {
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'group');
    canvas.setAttribute('aria-label', 'Drawing; arrow keys move it, plus and minus change its size');
    const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    canvas.addEventListener('keydown', (event) => {
      const step = steps[event.key];
      if (step) {
        view.x += step[0] * 80 / view.scale;
        view.y += step[1] * 80 / view.scale;
        show();
      } else if (event.key === '+' || event.key === '-') {
        middle(event.key === '+' ? 1.35 : 1 / 1.35);
      } else {
        return;
      }
      event.preventDefault();
    });
  }

  function picture() {
    const [x, y, width, height] = drawing.getAttribute('viewBox').split(' ').map(Number);
    whole = {x, y, width, height};
    canvas.classList.add('live');
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      const lines = event.deltaMode === 1 ? 18 : 1;
      zoom(Math.exp(-event.deltaY * lines * 0.0015), event.clientX - box.left,
          event.clientY - box.top);
    }, {passive: false});
    one('#larger').onclick = () => middle(1.35);
    one('#smaller').onclick = () => middle(1 / 1.35);
    one('#whole').onclick = fit;
    one('#top').onclick = start;
    new ResizeObserver(show).observe(canvas);
    drag();
    keys();
    search();
    start();
  }

  function tables() {
    for (const row of all('tr[data-group]')) {
      row.addEventListener('click', (event) => {
        if (event.target.closest('summary')) return;
        choose(row.dataset.group);
        const box = drawing && one(`.drawing [data-group="${row.dataset.group}"]`);
        if (box) centre(box, 0.8);
      });
    }
    for (const link of all('a[data-to]')) {
      link.addEventListener('click', () => choose(link.dataset.to));
    }
    let shown = '';
    for (const row of all('.reasons tr[data-reason]')) {
      const cell = row.lastElementChild;
      cell.tabIndex = 0;
      cell.setAttribute('role', 'button');
      cell.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        row.click();
      });
      row.addEventListener('click', () => {
        shown = shown === row.dataset.reason ? '' : row.dataset.reason;
        for (const edge of all('.edges tr[data-reason]')) {
          edge.hidden = shown !== '' && edge.dataset.reason !== shown;
        }
        for (const other of all('.reasons tr[data-reason]')) {
          other.classList.toggle('chosen', other.dataset.reason === shown);
          other.lastElementChild.setAttribute('aria-pressed', other.dataset.reason === shown);
        }
        if (shown !== '') one('.edges').scrollIntoView();
      });
    }
  }

  if (drawing) picture();
  tables();
})();
