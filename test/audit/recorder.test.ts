// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { subjectOfList } from '../../src/audit/recorder.ts';

describe('subject of an audit entry', () => {
  it('names all objects of a short list', () => {
    assert.equal(subjectOfList(['credit_card USD', 'qr_code THB']), 'credit_card USD, qr_code THB');
  });

  it('ends a long list after a complete name', () => {
    const names = Array.from({ length: 40 }, (_, index) => `virtual_account B${index}`);
    const subject = subjectOfList(names);
    assert.ok(subject.length <= 200);
    const shown = subject.split(', ');
    assert.equal(shown.pop(), '…');
    assert.deepEqual(shown, names.slice(0, shown.length));
  });

  it('marks one long name as shortened', () => {
    const subject = subjectOfList(['k'.repeat(300)]);
    assert.equal(subject, `${'k'.repeat(199)}…`);
  });
});
