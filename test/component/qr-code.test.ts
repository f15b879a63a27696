import { expect } from 'chai';
import { QrCode } from '../../pages/checkout/elements/qr-code.ts';
import { settled } from './simulated-clock.ts';

/** A QR code that is visible and has requested its renderer. */
async function visibleCode(load: QrCode['load']): Promise<QrCode> {
  const code = new QrCode();
  Object.assign(code, { value: 'https://pay.example/p/L1', label: 'QR code' });
  await new Promise<void>((resolve) => {
    code.load = () => {
      resolve();
      return load();
    };
    document.body.append(code);
  });
  await settled();
  await code.updateComplete;
  return code;
}

describe('the QR code', () => {
  afterEach(() => document.body.replaceChildren());

  it('renders once it is visible', async () => {
    const code = await visibleCode(() => Promise.resolve({ qrPath: () => ({ size: 29, d: 'M4 4h7v1h-7z' }) }));
    expect(code.querySelector('.qr-box svg')?.getAttribute('viewBox')).to.equal('0 0 29 29');
  });

  it('renders while it is hidden, for print', async () => {
    const hidden = document.createElement('div');
    hidden.hidden = true;
    document.body.append(hidden);
    const code = new QrCode();
    Object.assign(code, { value: 'https://pay.example/p/L1', isForPrint: true });
    code.load = () => Promise.resolve({ qrPath: () => ({ size: 29, d: 'M4 4h7v1h-7z' }) });
    hidden.append(code);
    await settled();
    await code.updateComplete;
    expect(code.querySelector('svg path')).not.to.equal(null);
  });

  it('leaves its box empty if the renderer cannot load', async () => {
    const faults: unknown[] = [];
    const recordFault = (event: PromiseRejectionEvent) => {
      event.preventDefault();
      faults.push(event.reason);
    };
    addEventListener('unhandledrejection', recordFault);
    const code = await visibleCode(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')));
    await settled();
    await settled();
    removeEventListener('unhandledrejection', recordFault);
    expect(faults).to.deep.equal([]);
    expect(code.querySelector('.qr-box')?.childElementCount).to.equal(0);
  });
});
