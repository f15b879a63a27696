import { chromium } from 'playwright';
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const dir='/tmp/clones/mail-shots/';
const ctx = await browser.newContext({ viewport: { width: 1280, height: 900 } });
const page = await ctx.newPage();
page.on('console', m => { if (m.type()==='error') console.log('CONSOLE', m.text()); });
await page.goto('http://localhost:6600/account/join#0WPr2ltfFqRDWWxDLp8HbNeNX3UCzLSMQ0rK2Gfp9bE');
await page.waitForSelector('h1');
await page.getByText('Use a password instead').click().catch(()=>{});
await page.waitForTimeout(300);
const inputs = page.locator('wa-input input, credential-field input, input');
for (let i=0;i<await inputs.count();i++){ const el=inputs.nth(i); const t=await el.getAttribute('type'); if(!await el.isVisible()) continue; if (t==='password') await el.fill('kettle of fish stew 77'); else if (!(await el.inputValue())) await el.fill('Ada Lovelace'); }
await page.getByRole('button', { name: /Join/ }).last().click();
await page.waitForURL(/account\/(\d+\/overview|merchants)/, { timeout: 20000 });
console.log(page.url());
const base='http://localhost:6600/account/1/';
// send a link
const api = async (path: string, body?: any) => await page.evaluate(async ([p,b]) => { const r = await fetch(p as string, { method: b?'POST':'GET', headers: { 'content-type':'application/json', 'Paylatch-Merchant':'1' }, body: b?JSON.stringify(b):undefined }); return [r.status, await r.text()]; }, [path, body]);
console.log(await page.evaluate(async () => (await fetch('/fiat/v1/merchant/payment-methods',{method:'PATCH',headers:{'content-type':'application/json','Paylatch-Merchant':'1'},body:JSON.stringify({payment_methods:[{payment_method:'credit_card',currency:'USD',status:'enable',fee_percent:1}]})})).status));
console.log(await api('/fiat/v1/transaction', { transaction_id:'order-1', payment_method:'credit_card', amount:12.5, country:'USA', currency:'USD', description:'Two cups', success_redirect_url:null, fail_redirect_url:null, type_of_calculation:'forward_without_fee' }));
console.log(await api('/fiat/v1/transaction/send', { transaction_id:'order-1', email:'ada@example.com' }));
console.log(await api('/fiat/v1/transaction/send', { transaction_id:'order-1', email:'bad@example.com' }));
await page.waitForTimeout(1500);
const shot = async (name: string, path: string, o: { width?: number; dark?: boolean; locale?: string } = {}) => {
  await page.setViewportSize({ width: o.width ?? 1280, height: 900 });
  await page.emulateMedia({ colorScheme: o.dark ? 'dark' : 'light' });
  await page.goto((path.startsWith('http')?path:base+path) + (o.locale ? '?locale='+o.locale : ''));
  await page.waitForSelector('h1'); await page.waitForTimeout(1200);
  console.log(name, await page.evaluate(() => document.documentElement.scrollWidth > innerWidth ? 'OVERFLOW' : ''));
  await page.screenshot({ path: dir+name+'.png', fullPage: true });
};
await shot('ui-email', 'email');
await shot('ui-email-dark-360', 'email', { width: 360, dark: true });
await shot('ui-email-ar', 'email', { locale: 'ar', width: 768 });
await shot('ui-transaction', 'transactions/order-1');
await page.getByRole('button', { name: 'Send by email' }).first().click(); await page.waitForTimeout(500);
await page.screenshot({ path: dir+'ui-send.png' });
await shot('ui-me', 'http://localhost:6600/account/me');
await browser.close();
