import { expect } from 'chai';
import fc from 'fast-check';
import { FRAME_PROTOCOL, isConnect } from '../../src/shared/frame/connect.ts';
import { fromFrame, isFromFrame } from '../../src/shared/frame/from-frame.ts';
import { isToFrame, toFrame } from '../../src/shared/frame/to-frame.ts';
import { object, partial } from '../../src/shared/shape.ts';
import {
  type Allowed,
  propertyNames,
  clonableValues,
  invalidVariants,
  validMessages,
  fromFrameAllowed,
  inheritedNames,
  validValues,
  toFrameAllowed,
  withProperty,
} from './frame-messages.ts';

const directions = {
  'to the element': { isMessage: isFromFrame, allowed: fromFrameAllowed, shapes: fromFrame },
  'to the frame': { isMessage: isToFrame, allowed: toFrameAllowed, shapes: toFrame },
};

for (const [direction, { isMessage, allowed, shapes }] of Object.entries(directions)) {
  /** Checks a structured clone, as another window receives it. */
  const isAccepted = (message: unknown) => isMessage(structuredClone(message));

  describe(`messages ${direction}`, () => {
    it('have exactly the listed types', () => {
      expect(Object.keys(shapes)).to.have.members(Object.keys(allowed));
    });

    for (const [type, properties] of Object.entries<Allowed>(allowed)) {
      it(`${type}: valid messages are accepted`, () => {
        fc.assert(fc.property(validMessages(type, properties), isAccepted));
      });

      it(`${type}: a message with one error is rejected`, () => {
        fc.assert(
          fc.property(validMessages(type, properties), (message) => {
            const accepted = invalidVariants(message, properties).filter(isAccepted);
            expect(accepted).to.deep.equal([]);
          }),
          { numRuns: 20 },
        );
      });
    }

    it('of an unknown type are rejected, including names of inherited properties', () => {
      const types = propertyNames.filter((name) => !Object.hasOwn(allowed, name));
      const rest = fc.oneof(...Object.values<Allowed>(allowed).map(validValues));
      fc.assert(fc.property(types, rest, (type, properties) => !isAccepted({ type, ...(properties as object) })));
      for (const type of inheritedNames) expect(isAccepted({ type }), type).to.equal(false);
      for (const type of Object.keys(allowed)) expect(isAccepted({ type: [type] }), type).to.equal(false);
    });

    it('are distinguished from all other values, and no value throws', () => {
      fc.assert(fc.property(clonableValues, (value) => !isAccepted(value)));
      for (const value of [undefined, null, 0, '', 'focus', [], ['focus'], new Date(0)])
        expect(isAccepted(value), String(value)).to.equal(false);
    });
  });
}

describe('a shape', () => {
  it('without properties requires an object', () => {
    for (const value of [null, undefined, '', 0, false]) expect(object({})(value), String(value)).to.equal(false);
    expect(object({})({})).to.equal(true);
  });

  it('with optional properties rejects arrays', () => {
    for (const value of [null, undefined, '', 0, [], ['x']]) expect(partial({})(value), String(value)).to.equal(false);
    expect(partial({})({})).to.equal(true);
  });
});

describe('the handshake', () => {
  const handshake = { connect: FRAME_PROTOCOL };

  it('is an object with the protocol', () => {
    expect(isConnect(structuredClone(handshake))).to.equal(true);
  });

  it('is nothing else', () => {
    const others = clonableValues.filter((value) => value !== FRAME_PROTOCOL);
    const names = propertyNames.filter((name) => name !== 'connect');
    fc.assert(fc.property(clonableValues, (value) => !isConnect(value)));
    fc.assert(fc.property(others, (value) => !isConnect({ connect: value })));
    fc.assert(fc.property(names, clonableValues, (name, value) => !isConnect(withProperty(handshake, name, value))));
  });
});
