'use strict';

/** Blocks are mined on request only. */
module.exports = {
  networks: {
    hardhat: {
      chainId: Number(process.env.CHAIN_ID),
      mining: { auto: false, interval: 0, mempool: { order: 'fifo' } },
    },
  },
};
