/*
 * Runs in the measured page before its own scripts, and records what a buyer would notice. Plain JavaScript,
 * because helpers that a compiler adds to functions are missing in the page.
 */
if (globalThis === globalThis.top) {
  let reportControl;
  const whenInControl = new Promise((resolve) => (reportControl = resolve));
  const noted = { lcp: null, cls: 0, field: null, usable: null, script: null, whenInControl };
  globalThis.benchNotes = noted;

  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) noted.lcp = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) noted.cls += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });

  /**
   * The page's state by its own markers: the first field accepts typing, the payment can be sent, the page's script
   * is in control.
   */
  const readiness = {
    empty() {
      const isThere = document.readyState !== 'loading';
      return { field: isThere, usable: isThere, script: isThere };
    },
    // The server-rendered button submits a plain form to the payment's URL; the script's form is not submitted natively.
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

  /* Checked in each animation frame, so that times are those of painted frames. */
  const check = () => {
    const ready = readiness[document.documentElement?.dataset.bench ?? 'link']();
    if (ready.field) noted.field ??= performance.now();
    if (ready.usable) noted.usable ??= performance.now();
    if (ready.usable && ready.script) {
      noted.script = performance.now();
      reportControl();
    } else requestAnimationFrame(check);
  };
  requestAnimationFrame(check);
}
