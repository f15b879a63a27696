/*
 * Runs in a page that is measured, before any script of its own, and notes what a buyer would. A file
 * of plain JavaScript: what the compiler adds to functions is not there in a page.
 */
if (globalThis === globalThis.top) {
  let tellInHand;
  const whenInHand = new Promise((resolve) => (tellInHand = resolve));
  const noted = { lcp: null, cls: 0, field: null, usable: null, script: null, whenInHand };
  globalThis.benchNotes = noted;

  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) noted.lcp = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) noted.cls += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });

  /**
   * Whether the first field takes typing, whether the payment can be sent, and whether the page's own
   * script has it in hand, by the page's own marks.
   */
  const readiness = {
    empty() {
      const isThere = document.readyState !== 'loading';
      return { field: isThere, usable: isThere, script: isThere };
    },
    // Drawn by the server, the button sends a plain form to the payment's own address; the script's form goes nowhere by itself.
    link() {
      const page = document.querySelector('link-page');
      const field = page?.querySelector('input[autocomplete="cc-number"]:enabled');
      const button = page?.querySelector('pay-button .pay:enabled');
      const script = page?.hasScript === true;
      const isSent = script || (button?.form?.method === 'post' && button.form.action === location.href);
      return { field, usable: field && button && isSent, script: field && button && script };
    },
    dropin() {
      const isLoading = document.querySelector('[class*="__form--loading"], [class*="-input--loading"]');
      const frame = document.querySelector('[data-cse="encryptedCardNumber"] iframe');
      const field = !isLoading && frame?.contentDocument?.querySelector('input[data-configured]');
      const usable = field && document.querySelector('.adyen-checkout__button--pay:enabled');
      return { field, usable, script: usable };
    },
  };

  /* Asked in each frame, so that a time is that of a picture that can be seen, not of a change behind it. */
  const look = () => {
    const ready = readiness[document.documentElement?.dataset.bench ?? 'link']();
    if (ready.field) noted.field ??= performance.now();
    if (ready.usable) noted.usable ??= performance.now();
    if (ready.usable && ready.script) {
      noted.script = performance.now();
      tellInHand();
    } else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
