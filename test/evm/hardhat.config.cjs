'use strict';

/** Blocks come when a test wants one. */
module.exports = {
  networks: {
    hardhat: {
      chainId: Number(process.env.CHAIN_ID),
      mining: { auto: false, interval: 0, mempool: { order: 'fifo' } },
    },
  },
};
