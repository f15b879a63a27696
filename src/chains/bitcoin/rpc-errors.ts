import type { RejectionCause } from '../port.ts';
import type { RpcError } from './rpc.ts';

/** What a node means by a refusal. Codes are those of Bitcoin Core's `rpc/protocol.h`. */

const INVALID_ADDRESS_OR_KEY = -5;
const INVALID_PARAMETER = -8;
const DESERIALIZATION_ERROR = -22;
const VERIFY_ERROR = -25;
const VERIFY_REJECTED = -26;
const VERIFY_ALREADY_IN_UTXO_SET = -27;

/** What was asked for is not there. Nodes other than Bitcoin Core say so in words, under its general code. */
export function isNotFound({ code, message }: RpcError): boolean {
  return code === INVALID_ADDRESS_OR_KEY || /\bnot (found|in mempool)\b/i.test(message);
}

/** There is no block at the height asked (`getblockhash`). */
export function isBeyondTip({ code }: RpcError): boolean {
  return code === INVALID_PARAMETER;
}

/** The block was there once and has been deleted, to save space. */
export function isPruned({ message }: RpcError): boolean {
  return /\bpruned\b/i.test(message);
}

/** The node searches its unspent outputs for another caller (`scantxoutset`). */
export function isScanInProgress({ message }: RpcError): boolean {
  return /\bscan already in progress\b/i.test(message);
}

/** The transaction is in a block already, or in the pool; with another witness it is the same (BIP 141). */
export function isAlreadyKnown({ code, message }: RpcError): boolean {
  return (
    code === VERIFY_ALREADY_IN_UTXO_SET ||
    /\btxn-(already-in-mempool|already-known|same-nonwitness-data-in-mempool)\b/.test(message)
  );
}

/** The transaction itself is not taken: it is malformed, invalid, or against the node's policy. */
export function isRejection({ code }: RpcError): boolean {
  return code === DESERIALIZATION_ERROR || code === VERIFY_ERROR || code === VERIFY_REJECTED;
}

const inputsPattern = /missing-?inputs|missing inputs|bad-txns-inputs-(?:missingorspent|spent)/i;
/** A replacement is refused for its fee only beside a transaction that spends the same: that is not about the price alone. */
const pricePattern =
  /\bmin (?:relay )?fee not met|\bmempool min fee|insufficient (?:fee|priority)|fee exceeds maximum|max-fee-exceeded|absurdly-high-fee|\bmempool full\b/i;

/** Whether another transaction would be accepted, by the reject reasons of Bitcoin Core's `validation.cpp` and bcoin's. */
export function rejectionCause({ message }: RpcError): RejectionCause | null {
  if (inputsPattern.test(message)) return 'inputs';
  return pricePattern.test(message) && !/rejecting replacement/i.test(message) ? 'price' : null;
}
