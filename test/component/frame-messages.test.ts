import { expect } from 'chai';
import fc from 'fast-check';
import { FRAME_PROTOCOL, isConnect } from '../../src/shared/frame/connect.ts';
import { fromFrame, isFromFrame } from '../../src/shared/frame/from-frame.ts';
import { isToFrame, toFrame } from '../../src/shared/frame/to-frame.ts';
import { object, some } from '../../src/shared/shape.ts';
import {
  type Allowed,
  anyName,
  anything,
  brokenVariants,
  fittingMessages,
  fromFrameAllowed,
  inheritedNames,
  thatFits,
  toFrameAllowed,
  withProperty,
} from './frame-messages.ts';

const directions = {
  'to the element': { isMessage: isFromFrame, allowed: fromFrameAllowed, shapes: fromFrame },
  'to the frame': { isMessage: isToFrame, allowed: toFrameAllowed, shapes: toFrame },
};

for (const [direction, { isMessage, allowed, shapes }] of Object.entries(directions)) {
  /** As it arrives: another window gets a copy. */
  const isTaken = (message: unknown) => isMessage(structuredClone(message));

  describe(`messages ${direction}`, () => {
    it('are these, and no others', () => {
      expect(Object.keys(shapes)).to.have.members(Object.keys(allowed));
    });

    for (const [type, properties] of Object.entries<Allowed>(allowed)) {
      it(`${type}: whatever fits is taken`, () => {
        fc.assert(fc.property(fittingMessages(type, properties), isTaken));
      });

      it(`${type}: whatever is wrong in one thing is refused`, () => {
        fc.assert(
          fc.property(fittingMessages(type, properties), (message) => {
            const taken = brokenVariants(message, properties).filter(isTaken);
            expect(taken).to.deep.equal([]);
          }),
          { numRuns: 20 },
        );
      });
    }

    it('of an unknown type are refused, also where every object has such a name', () => {
      const types = anyName.filter((name) => !Object.hasOwn(allowed, name));
      const rest = fc.oneof(...Object.values<Allowed>(allowed).map(thatFits));
      fc.assert(fc.property(types, rest, (type, properties) => !isTaken({ type, ...(properties as object) })));
      for (const type of inheritedNames) expect(isTaken({ type }), type).to.equal(false);
      for (const type of Object.keys(allowed)) expect(isTaken({ type: [type] }), type).to.equal(false);
    });

    it('are told from everything else that can arrive, and nothing that arrives throws', () => {
      fc.assert(fc.property(anything, (value) => !isTaken(value)));
      for (const value of [undefined, null, 0, '', 'focus', [], ['focus'], new Date(0)])
        expect(isTaken(value), String(value)).to.equal(false);
    });
  });
}

describe('a shape', () => {
  it('without properties is an object all the same', () => {
    for (const value of [null, undefined, '', 0, false]) expect(object({})(value), String(value)).to.equal(false);
    expect(object({})({})).to.equal(true);
  });

  it('with properties that may be missing is no list', () => {
    for (const value of [null, undefined, '', 0, [], ['x']]) expect(some({})(value), String(value)).to.equal(false);
    expect(some({})({})).to.equal(true);
  });
});

describe('the handshake', () => {
  const handshake = { connect: FRAME_PROTOCOL };

  it('is one object with the protocol in it', () => {
    expect(isConnect(structuredClone(handshake))).to.equal(true);
  });

  it('is nothing else', () => {
    const others = anything.filter((value) => value !== FRAME_PROTOCOL);
    const names = anyName.filter((name) => name !== 'connect');
    fc.assert(fc.property(anything, (value) => !isConnect(value)));
    fc.assert(fc.property(others, (value) => !isConnect({ connect: value })));
    fc.assert(fc.property(names, anything, (name, value) => !isConnect(withProperty(handshake, name, value))));
  });
});
