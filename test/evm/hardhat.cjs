/*
 * Hardhat's node in memory, for tests. Prints a JSON line with its port when it is ready, and exits when its standard
 * input ends. Started as a library: the command asks for telemetry and checks for updates.
 */
'use strict';

process.env.HARDHAT_CONFIG = require('node:path').join(__dirname, 'hardhat.config.cjs');
process.env.HARDHAT_DISABLE_TELEMETRY_PROMPT = 'true';
const { network } = require('hardhat');
const { JsonRpcServer } = require('hardhat/internal/hardhat-network/jsonrpc/server');

const server = new JsonRpcServer({ hostname: '127.0.0.1', port: 0, provider: network.provider });
void server.listen().then(({ port }) => process.stdout.write(`${JSON.stringify({ port })}\n`));
process.stdin.on('end', () => process.exit(0)).resume();
