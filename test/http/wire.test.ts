// Databases: sqlite
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { problemDocument } from '../../src/api/problem.ts';
import type { Timeouts } from '../../src/http/server.ts';
import { until } from '../support/program.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { exchange, openWire, readResponses, type Wire } from '../support/wire.ts';

/** Production timeouts, with more time to read the response to a rejected body on a busy machine. */
const patient: Partial<Timeouts> = { lingerMs: 3000 };
/** Short timeouts for tests. */
const impatient = { headersMs: 700, requestMs: 900, idleMs: 300, socketMs: 1200, checkEveryMs: 50 };
const HOST = 'Host: pay.example\r\n';
const FORM = `${HOST}Content-Type: application/x-www-form-urlencoded\r\n`;
const CLOSE = 'Connection: close\r\n';

describe('HTTP on the wire', () => {
  let service: ServerProcess;
  let url: string;
  let path: string;
  before(async () => {
    service = await startServerProcess({ timeouts: patient });
    ({ url } = await service.server.addresses());
    path = new URL((await service.server.createLink()).link).pathname;
  });
  after(async () => await service.stop());

  /** Checks that other clients are served. On a busy machine, a short timeout may end even this request. */
  const served = async (address: string) => {
    let text: string | null = null;
    await until('the service responds', async () => {
      // The service may close a keep-alive connection while the next request is in transit.
      const response = await fetch(address, { headers: { Connection: 'close' } });
      text = await response.text().catch(() => null);
      // The impatient service is busy with the other client: its timeouts, of about a second, end this request too.
      if (response.status === 408 || text === null) return false;
      assert.equal(response.status, 200, text);
      return true;
    });
    return text;
  };
  const alive = async (origin: string) => assert.equal(await served(`${origin}/healthz`), '{"status":"alive"}');
  /** Expects one error response with the usual headers, and then the end of the connection. */
  const refused = (came: string, status: number, code: string) => {
    const responses = readResponses(came);
    assert.equal(responses.length, 1, came);
    const [result] = responses;
    assert.ok(result);
    assert.equal(result.status, status, came);
    const problem = problemDocument.strict().parse(JSON.parse(result.text));
    assert.deepEqual([problem.code, problem.status], [code, status]);
    assert.equal(result.headers.get('request-id'), problem.request_id);
    assert.equal(result.headers.get('connection'), 'close');
    assert.equal(result.headers.get('content-type'), 'application/problem+json');
    assert.equal(result.headers.get('x-content-type-options'), 'nosniff');
    assert.match(result.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  };

  describe('ambiguous requests are rejected and their connection is closed', () => {
    const post = (headers: string, body = '') => `POST /oauth/token HTTP/1.1\r\n${FORM}${headers}\r\n${body}`;
    const get = (headers: string, line = 'GET /healthz HTTP/1.1') => `${line}\r\n${headers}\r\n`;
    const smuggled = 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n';
    const shapes: Record<string, string> = {
      'Content-Length and Transfer-Encoding': post(
        'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
        `0\r\n\r\n${smuggled}`,
      ),
      'Transfer-Encoding and Content-Length': post(
        'Transfer-Encoding: chunked\r\nContent-Length: 50\r\n',
        `0\r\n\r\n${smuggled}`,
      ),
      'two lengths': post('Content-Length: 5\r\nContent-Length: 60\r\n', `abcde${smuggled}`),
      'two equal lengths': post('Content-Length: 5\r\nContent-Length: 5\r\n', `abcde${smuggled}`),
      'a list of lengths': post('Content-Length: 5, 5\r\n', `abcde${smuggled}`),
      'a length with a sign': post('Content-Length: +5\r\n', `abcde${smuggled}`),
      'a length below nothing': post('Content-Length: -1\r\n', smuggled),
      'a length in hexadecimal digits': post('Content-Length: 0x5\r\n', `abcde${smuggled}`),
      'a coding that is not chunked': post('Transfer-Encoding: identity\r\n', smuggled),
      'a coding that is nearly chunked': post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${smuggled}`),
      'a coding after chunked': post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${smuggled}`),
      'chunked twice': post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled}`),
      'a space before the colon': post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${smuggled}`),
      'a folded header': get(`${HOST}A: b\r\n c\r\n`),
      'a folded coding': post('Transfer-Encoding:\r\n chunked\r\n', `0\r\n\r\n${smuggled}`),
      'a space before the first header': get(` ${HOST}`),
      'lines that end in LF': `GET /healthz HTTP/1.1\nHost: x\n\n`,
      'a header that ends in LF': get('Host: x\nA: b\r\n'),
      'headers that end in LF': 'GET /healthz HTTP/1.1\r\nHost: x\r\n\n',
      'a header that ends in CR': get('Host: x\rA: b\r\n'),
      'a null byte in a header': get(`${HOST}A: b\0c\r\n`),
      'a null byte in a name': get(`${HOST}A\0: b\r\n`),
      'a null byte in the address': get(HOST, 'GET /healthz\0 HTTP/1.1'),
      'non-ASCII bytes in the URL': get(HOST, 'GET /\xff\xfe HTTP/1.1'),
      'a space in the address': get(HOST, 'GET /healthz /metrics HTTP/1.1'),
      'an address without a slash': get(HOST, 'GET healthz HTTP/1.1'),
      'an address of another scheme': get(HOST, 'GET ftp://pay.example/healthz HTTP/1.1'),
      'no address': get(HOST, 'OPTIONS * HTTP/1.1'),
      'two hosts': get(`${HOST}Host: evil.example\r\n`),
      'no host': get(''),
      'an empty host': get('Host:\r\n'),
      'a host that is an address': get('Host: evil.example/p@pay.example\r\n'),
      'a chunk’s size that is none': post('Transfer-Encoding: chunked\r\n', '0x5\r\nabcde\r\n0\r\n\r\n'),
      'a chunk’s extension with LF': post('Transfer-Encoding: chunked\r\n', '1;a\nb\r\nx\r\n0\r\n\r\n'),
      'chunks with LF': post('Transfer-Encoding: chunked\r\n', `1\na\n0\n\n${smuggled}`),
      'a coding in HTTP/1.0': `POST /oauth/token HTTP/1.0\r\n${FORM}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      'HTTP/0.9': 'GET /healthz\r\n\r\n',
      'HTTP/2 in the first line': get(HOST, 'GET /healthz HTTP/2.0'),
      'HTTP/1.2': get(HOST, 'GET /healthz HTTP/1.2'),
      'a beginning of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'a beginning of TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'a method that there is not': get(HOST, 'BREW /healthz HTTP/1.1'),
      CONNECT: 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n',
      'an expectation that is not known': post('Expect: coffee\r\nContent-Length: 5\r\n', 'abcde'),
    };
    for (const [name, text] of Object.entries(shapes)) {
      test(name, async () => {
        refused(await exchange(url, text), 400, 'malformed_request');
      });
    }

    test('a request after an overlong chunk is not served', async () => {
      const came = await exchange(url, post('Transfer-Encoding: chunked\r\n', `1\r\nab0\r\n\r\n${smuggled}`));
      assert.doesNotMatch(came, /paylatch_http/);
      assert.equal(came.split('HTTP/1.1 ').length, 2);
    });
  });

  describe('valid HTTP is served', () => {
    test('consecutive and pipelined requests', async () => {
      const came = await exchange(
        url,
        `GET /healthz HTTP/1.1\r\n${HOST}\r\nGET /nothing HTTP/1.1\r\n${HOST}\r\nPOST /oauth/token HTTP/1.1\r\n${FORM}Content-Length: 5\r\n\r\nabcdeGET /healthz HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
      );
      assert.deepEqual(
        readResponses(came).map(({ status }) => status),
        [200, 404, 400, 200],
      );
    });

    test('HTTP/1.0 with and without a host', async () => {
      for (const host of [HOST, '']) {
        const [result] = readResponses(await exchange(url, `GET /healthz HTTP/1.0\r\n${host}\r\n`));
        assert.equal(result?.status, 200);
      }
    });

    test('an absolute URL, whose host is ignored', async () => {
      const came = await exchange(url, `GET http://evil.example/healthz HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
      assert.equal(readResponses(came)[0]?.status, 200);
      assert.doesNotMatch(came, /evil/);
    });

    test('an upgrade request, in HTTP/1.1', async () => {
      for (const protocol of ['websocket', 'h2c']) {
        const upgrade = `Connection: close, Upgrade\r\nUpgrade: ${protocol}\r\n`;
        const came = await exchange(url, `GET /healthz HTTP/1.1\r\n${HOST}${upgrade}\r\n`);
        assert.equal(readResponses(came)[0]?.status, 200);
      }
    });

    test('a small request after a large rejected one, 60 times on a keep-alive connection', async () => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      const sendRequest = async (method: string, requested: string, body: string) =>
        await new Promise<number>((resolve, reject) => {
          const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
          const request = http.request(url + requested, { agent, method, headers }, (response) => {
            response.resume().once('end', () => resolve(response.statusCode ?? 0));
          });
          request.once('error', reject).end(body);
        });
      const large = 'x'.repeat(200_000);
      const statuses = [];
      for (let round = 0; round < 60; round += 1) {
        const refusedPath = ['/fiat/v1/transaction', '/nothing', '/healthz'][round % 3] ?? '';
        statuses.push(await sendRequest('POST', refusedPath, large), await sendRequest('GET', '/healthz', ''));
      }
      agent.destroy();
      const expected = [401, 200, 404, 200, 405, 200];
      assert.deepEqual(
        statuses,
        Array.from({ length: 120 }, (_, index) => expected[index % 6]),
      );
    });

    test('TRACE echoes nothing', async () => {
      const came = await exchange(url, `TRACE ${path} HTTP/1.1\r\n${HOST}Cookie: a=secret\r\n${CLOSE}\r\n`);
      assert.equal(readResponses(came)[0]?.status, 405);
      assert.doesNotMatch(came, /secret/);
    });
  });

  describe('oversized requests are rejected', () => {
    test('headers: count and size, and the URL’s length', async () => {
      const many = 'a: b\r\n'.repeat(100);
      const large = `A: ${'b'.repeat(16 * 1024)}\r\n`;
      for (const [line, headers] of [
        ['GET /healthz HTTP/1.1', many],
        ['GET /healthz HTTP/1.1', large],
        [`GET /${'b'.repeat(16 * 1024)} HTTP/1.1`, ''],
        [`GET /healthz?${'b'.repeat(16 * 1024)} HTTP/1.1`, ''],
      ] as const) {
        refused(await exchange(url, `${line}\r\n${HOST}${headers}\r\n`), 431, 'headers_too_large');
      }
      const fewer = 'a: b\r\n'.repeat(98);
      const came = await exchange(url, `GET /healthz HTTP/1.1\r\n${HOST}${CLOSE}${fewer}\r\n`);
      assert.equal(readResponses(came)[0]?.status, 200);
    });

    /** Sends as much as the other side accepts, up to a limit; returns the response and the bytes sent. */
    const pour = async (head: string, piece: string, most: number): Promise<{ came: string; sent: number }> => {
      const wire = await openWire(url);
      wire.write(head);
      const closed = new Promise<void>((resolve) => {
        wire.socket.once('close', () => resolve());
      });
      while (!wire.socket.destroyed && wire.socket.bytesWritten < most) {
        if (!wire.socket.write(piece)) await Promise.race([closed, once(wire.socket, 'drain').catch(() => undefined)]);
      }
      return { came: (await wire.ended()).text, sent: wire.socket.bytesWritten };
    };
    const MEGABYTE = 1024 * 1024;
    const LONG = 200 * MEGABYTE;
    /** Systems may buffer 36 MB for a program that does not read (tcp_rmem, tcp_wmem); more would be read by the service. */
    const MAX_RECEIVED_BYTES = 50 * MEGABYTE;
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;

    test('a body with or without Content-Length: the response comes early, and the body is not read to its end', async () => {
      for (const [framing, piece] of [
        [`Content-Length: ${LONG}\r\n`, 'x'.repeat(0x10000)],
        ['Transfer-Encoding: chunked\r\n', chunk],
      ] as const) {
        const { came, sent } = await pour(`POST /oauth/token HTTP/1.1\r\n${FORM}${framing}\r\n`, piece, LONG);
        assert.match(came, /^HTTP\/1\.1 413 /);
        assert.match(came, /"code":"body_too_large"/);
        assert.match(came, /^connection: close/im);
        assert.ok(sent < MAX_RECEIVED_BYTES, `${sent} bytes were received`);
      }
    });

    test('an unexpected body', async () => {
      const lines = ['GET /healthz', 'HEAD /healthz', 'GET /nothing', 'POST /nothing', 'DELETE /healthz'];
      const check = async (line: string) => {
        const head = `${line} HTTP/1.1\r\n${HOST}Content-Length: ${LONG}\r\n\r\n`;
        const { came, sent } = await pour(head, 'x'.repeat(0x10000), LONG);
        assert.match(came, /^HTTP\/1\.1 (200|404|405) /, line);
        assert.ok(sent < MAX_RECEIVED_BYTES, `${line}: ${sent} bytes were received`);
      };
      await Promise.all(lines.map(check));
    });

    test('an announced body after 100-continue', async () => {
      const came = await exchange(
        url,
        `POST /oauth/token HTTP/1.1\r\n${FORM}Expect: 100-continue\r\nContent-Length: ${LONG}\r\n\r\n`,
      );
      assert.match(came, /HTTP\/1\.1 413 /);
    });
  });

  describe('slow clients are disconnected', () => {
    let hasty: string;
    let hastyService: ServerProcess;
    before(async () => {
      hastyService = await startServerProcess({ timeouts: impatient });
      ({ url: hasty } = await hastyService.server.addresses());
    });
    after(async () => await hastyService.stop());

    /** Keeps writing in the meantime; a failed write ends the test too. */
    const whileWriting = async <Result>(wire: Wire, bytes: string, work: () => Promise<Result>): Promise<Result> => {
      const writing = setInterval(() => wire.write(bytes), 20);
      try {
        return await work();
      } finally {
        clearInterval(writing);
      }
    };

    /** Only the response matters: its time depends on the machine. */
    const notBefore = ({ afterMs }: { afterMs: number }, leastMs: number) =>
      assert.ok(afterMs >= leastMs - 50, `it took ${Math.round(afterMs)} ms`);

    test('that send nothing', async () => {
      const wire = await openWire(hasty);
      const end = await wire.ended();
      notBefore(end, impatient.headersMs);
      refused(end.text, 408, 'request_timeout');
    });

    test('that send endless headers, byte by byte', async () => {
      const wire = await openWire(hasty);
      wire.write(`GET /healthz HTTP/1.1\r\n${HOST}A: `);
      const end = await whileWriting(wire, 'b', async () => await wire.ended());
      notBefore(end, impatient.headersMs);
      refused(end.text, 408, 'request_timeout');
    });

    test('that send an endless body, byte by byte', async () => {
      const wire = await openWire(hasty);
      wire.write(`POST /oauth/token HTTP/1.1\r\n${FORM}Content-Length: 60000\r\n\r\n`);
      const end = await whileWriting(wire, 'b', async () => await wire.ended());
      notBefore(end, impatient.requestMs);
      refused(end.text, 408, 'request_timeout');
    });

    test('that leave a connection idle', async () => {
      const wire = await openWire(hasty);
      wire.write(`GET /healthz HTTP/1.1\r\n${HOST}\r\n`);
      const end = await wire.ended();
      notBefore(end, impatient.idleMs);
      assert.equal(readResponses(end.text).length, 1);
    });

    test('that send requests but read nothing', async () => {
      const wire = await openWire(hasty);
      wire.socket.pause();
      const one = `GET /openapi.json HTTP/1.1\r\n${HOST}\r\n`;
      const closed = new Promise<void>((resolve) => {
        wire.socket.once('close', () => resolve());
        wire.socket.once('error', () => resolve());
      });
      await whileWriting(wire, one.repeat(5), async () => {
        await alive(hasty);
        await closed;
      });
      await alive(hasty);
    });

    test('hundreds of stalled connections do not delay others', async () => {
      const wires: Wire[] = [];
      for (let index = 0; index < 400; index += 1) {
        const wire = await openWire(hasty);
        // Nothing, a part of the headers, a part of a body.
        const begun = [
          '',
          `GET /healthz HTTP/1.1\r\n${HOST}`,
          `POST /oauth/token HTTP/1.1\r\n${FORM}Content-Length: 9\r\n\r\na`,
        ];
        wire.write(begun[index % 3] ?? '');
        wires.push(wire);
      }
      for (let index = 0; index < 20; index += 1) await alive(hasty);
      const { link } = await hastyService.server.createLink();
      await served(hasty + new URL(link).pathname);
      // All of them are closed.
      for (const wire of wires) assert.match((await wire.ended()).text, /^HTTP\/1\.1 408 /);
    });

    describe('a rejected client that keeps sending is disconnected', () => {
      /** Sends `drop` again and again on each socket, reads nothing, and never closes. */
      const drip = (sockets: readonly Socket[], drop: string) => {
        const timer = setInterval(() => {
          for (const socket of sockets) if (!socket.destroyed) socket.write(drop);
        }, 50);
        return () => {
          clearInterval(timer);
          for (const socket of sockets) socket.destroy();
        };
      };
      const dialog = (port: number, begin: string) => {
        const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
        socket.on('error', () => {}).pause();
        socket.write(begin);
        return socket;
      };

      test('500 connections to a process with 300 descriptors', async () => {
        const small = await startServerProcess({ timeouts: impatient, maxDescriptors: 300 });
        const { url: origin } = await small.server.addresses();
        const sockets = Array.from({ length: 500 }, () =>
          dialog(Number(new URL(origin).port), `GET /healthz HTTP/1.1\r\n${HOST}`),
        );
        const stop = drip(sockets, 'a: b\r\n');
        try {
          await until('the service responds', async () => {
            const result = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(1000) }).catch(() => null);
            return result?.status === 200;
          });
          await until(
            'every connection has ended',
            async () => await Promise.resolve(sockets.every((socket) => socket.destroyed)),
          );
        } finally {
          stop();
          await small.stop();
        }
      });

      for (const [name, begin, drop] of [
        ['after headers that take too long', `GET /healthz HTTP/1.1\r\n${HOST}`, 'a: b\r\n'],
        ['after a body that takes too long', `POST /oauth/token HTTP/1.1\r\n${FORM}Content-Length: 60000\r\n\r\n`, 'b'],
        ['after a malformed request', 'BREW /healthz HTTP/1.1\r\n\r\n', 'b'],
        ['after CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n', 'b'],
      ] as const) {
        test(name, async () => {
          const socket = dialog(Number(new URL(hasty).port), begin);
          const stop = drip([socket], drop);
          try {
            await until('the connection has ended', async () => await Promise.resolve(socket.destroyed));
          } finally {
            stop();
          }
        });
      }
    });
  });
});
