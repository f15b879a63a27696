/*
 * Ganache in memory, for tests. Prints a JSON line with its port when it is ready, and exits when its standard input
 * ends.
 */
'use strict';

const ganache = require('ganache');

const server = ganache.server({
  chain: { chainId: Number(process.env.CHAIN_ID), hardfork: 'shanghai' },
  wallet: { mnemonic: 'test test test test test test test test test test test junk' },
  logging: { quiet: true },
});
async function start() {
  await server.listen(0, '127.0.0.1');
  // Blocks are mined on request only.
  await server.provider.request({ method: 'miner_stop', params: [] });
  process.stdout.write(`${JSON.stringify({ port: server.address().port })}\n`);
}

void start();
process.stdin.on('end', () => process.exit(0)).resume();
