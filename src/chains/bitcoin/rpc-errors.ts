import type { RejectionCause } from '../port.ts';
import type { RpcError } from './rpc.ts';

/** Meanings of a node's errors. Codes are those of Bitcoin Core's `rpc/protocol.h`. */

const INVALID_ADDRESS_OR_KEY = -5;
const INVALID_PARAMETER = -8;
const DESERIALIZATION_ERROR = -22;
const VERIFY_ERROR = -25;
const VERIFY_REJECTED = -26;
const VERIFY_ALREADY_IN_UTXO_SET = -27;

/**
 * The requested object does not exist. Nodes other than Bitcoin Core report this in the message, with a generic code.
 */
export function isNotFound({ code, message }: RpcError): boolean {
  return code === INVALID_ADDRESS_OR_KEY || /\bnot (found|in mempool)\b/i.test(message);
}

/** The requested height is above the tip (`getblockhash`). */
export function isBeyondTip({ code }: RpcError): boolean {
  return code === INVALID_PARAMETER;
}

/** The node has deleted the block to save space. */
export function isPruned({ message }: RpcError): boolean {
  return /\bpruned\b/i.test(message);
}

/** The node already runs a scan for another caller (`scantxoutset`). */
export function isScanInProgress({ message }: RpcError): boolean {
  return /\bscan already in progress\b/i.test(message);
}

/** The transaction is in a block or the mempool already, possibly with a different witness (BIP 141). */
export function isAlreadyKnown({ code, message }: RpcError): boolean {
  return (
    code === VERIFY_ALREADY_IN_UTXO_SET ||
    /\btxn-(already-in-mempool|already-known|same-nonwitness-data-in-mempool)\b/.test(message)
  );
}

/** The transaction itself is rejected: malformed, invalid, or against the node's policy. */
export function isRejection({ code }: RpcError): boolean {
  return code === DESERIALIZATION_ERROR || code === VERIFY_ERROR || code === VERIFY_REJECTED;
}

const inputsPattern = /missing-?inputs|missing inputs|bad-txns-inputs-(?:missingorspent|spent)/i;
/** Excludes rejected replacements: their fee is too low only in comparison with the conflicting transaction. */
const feePattern =
  /\bmin (?:relay )?fee not met|\bmempool min fee|insufficient (?:fee|priority)|fee exceeds maximum|max-fee-exceeded|absurdly-high-fee|\bmempool full\b/i;

/** Cause of a node's rejection, from the reject reasons of Bitcoin Core's `validation.cpp` and of bcoin. */
export function rejectionCause({ message }: RpcError): RejectionCause | null {
  if (inputsPattern.test(message)) return 'inputs';
  return feePattern.test(message) && !/rejecting replacement/i.test(message) ? 'fee' : null;
}
