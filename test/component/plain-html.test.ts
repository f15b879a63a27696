import { expect } from 'chai';
import { escapeJsonForScript } from '../../pages/html-document.ts';
import { plainHtml } from '../../pages/checkout/link/plain-html.ts';

describe('plain HTML from server rendering', () => {
  it('removes shadow roots, markers and hydration attributes', () => {
    const rendered =
      '<!--lit-part abc=--><pay-button defer-hydration><template shadowroot="open" shadowrootmode="open"><!--lit-node 0--><b><!--lit-part-->12<!--/lit-part--></b></template></pay-button><!--/lit-part-->';
    expect(plainHtml(rendered)).to.equal('<pay-button><b>12</b></pay-button>');
  });

  it('keeps user input', () => {
    const text = '<p>&lt;template&gt; &lt;!--lit-part--&gt; defer-hydration</p>';
    expect(plainHtml(text)).to.equal(text);
  });
});

describe('JSON in a script element', () => {
  it('cannot close the element and parses to the same value', () => {
    const value = { text: '</script><!--<script>\u2028\u2029' };
    const written = escapeJsonForScript(value);
    expect(written).not.to.match(/[<\u2028\u2029]/);
    expect(JSON.parse(written)).to.deep.equal(value);
  });
});
