import type { Machine } from './network.ts';

export const ports = {
  postgres: 5432,
  patroni: 8008,
  etcd: 2379,
  etcdPeers: 2380,
  /** HAProxy, in front of the primary, of the replicas, and of the service. */
  primary: 5000,
  replicas: 5001,
  service: 8080,
  pgbouncer: 6432,
  /** The first process of the service; the others follow. */
  process: 8081,
} as const;

export const passwords = { postgres: 'postgres', replicator: 'replicator', paylatch: 'paylatch' } as const;

/** Arguments of an etcd member. */
export function etcdArguments(machine: Machine, machines: readonly Machine[], folder: string): string[] {
  const client = `http://${machine.address}:${ports.etcd}`;
  const peer = `http://${machine.address}:${ports.etcdPeers}`;
  return [
    ...['--name', machine.name, '--data-dir', folder],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    '--enable-v2',
    ...['--initial-cluster-token', 'paylatch', '--initial-cluster-state', 'new'],
    '--initial-cluster',
    machines.map(({ name, address }) => `${name}=http://${address}:${ports.etcdPeers}`).join(','),
  ];
}

/** Patroni's configuration. JSON is YAML. */
export function patroniConfiguration(machine: Machine, machines: readonly Machine[], folder: string): string {
  const { name, address } = machine;
  const network = '10.61.0.0/24';
  return JSON.stringify({
    scope: 'paylatch',
    name,
    restapi: { listen: `${address}:${ports.patroni}`, connect_address: `${address}:${ports.patroni}` },
    // Not etcd's v3 API, which loses data with Debian's Patroni 3.0.2: a primary that was isolated takes the lock of
    // its successor when it reconnects, because `update_leader` overwrites the lock without a comparison.
    etcd: { hosts: machines.map((each) => `${each.address}:${ports.etcd}`) },
    bootstrap: {
      dcs: {
        ...{ ttl: 20, loop_wait: 5, retry_timeout: 5, maximum_lag_on_failover: 1_048_576 },
        // No commit without a second server, even if Patroni has to stop writes.
        ...{ synchronous_mode: true, synchronous_mode_strict: true },
        // A crashed primary is replaced, not restarted.
        primary_start_timeout: 0,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            ...{ max_connections: 200, shared_buffers: '64MB', wal_log_hints: 'on', hot_standby: 'on' },
            ...{ max_wal_size: '96MB', min_wal_size: '48MB', wal_keep_size: '48MB', max_slot_wal_keep_size: '96MB' },
            // Ends connections to clients that have disappeared.
            ...{
              tcp_keepalives_idle: 10,
              tcp_keepalives_interval: 5,
              tcp_keepalives_count: 2,
              tcp_user_timeout: 15_000,
            },
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      ...{ listen: `${address}:${ports.postgres}`, connect_address: `${address}:${ports.postgres}` },
      ...{ data_dir: `${folder}/postgres`, bin_dir: '/usr/lib/postgresql/15/bin', pgpass: `${folder}/pgpass` },
      parameters: { unix_socket_directories: folder },
      pg_hba: [
        'local all all trust',
        `host replication replicator ${network} scram-sha-256`,
        `host all all ${network} scram-sha-256`,
      ],
      authentication: {
        superuser: { username: 'postgres', password: passwords.postgres },
        replication: { username: 'replicator', password: passwords.replicator },
      },
    },
  });
}

export function haproxyConfiguration(machines: readonly Machine[], processes: readonly number[]): string {
  const databases = machines
    .map(({ name, address }) => `  server ${name} ${address}:${ports.postgres} check port ${ports.patroni}`)
    .join('\n');
  const services = processes.map((port, index) => `  server paylatch${index + 1} 127.0.0.1:${port} check`).join('\n');
  return `global
  maxconn 2000

defaults
  timeout connect 2s
  timeout client 1h
  timeout server 1h

listen primary
  bind 127.0.0.1:${ports.primary}
  mode tcp
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${databases}

listen replicas
  bind 127.0.0.1:${ports.replicas}
  mode tcp
  balance leastconn
  option httpchk GET /replica
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${databases}

listen paylatch
  bind 127.0.0.1:${ports.service}
  mode http
  timeout client 75s
  timeout server 75s
  timeout http-keep-alive 60s
  # For internal monitoring only. The service decodes the path and resolves dot segments, as in /x/../%6detrics.
  http-request return status 404 if { path,url_dec -m end /metrics /readyz }
  # Invalid percent encoding, which url_dec does not decode.
  http-request return status 400 if !{ path,url_dec -m found }
  option httpchk GET /readyz
  http-check expect status 200
  option redispatch
  option forwardfor
  http-error status 503 content-type application/problem+json string "{\\"code\\":\\"unavailable\\",\\"title\\":\\"Unavailable\\",\\"status\\":503,\\"detail\\":\\"The service does not respond. Try again.\\",\\"retryable\\":true}" hdr Retry-After 2
  default-server inter 1s fall 2 rise 1
${services}
`;
}

export function pgbouncerConfiguration(folder: string, mode: string): string {
  return `[databases]
paylatch = host=127.0.0.1 port=${ports.primary} dbname=paylatch

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ports.pgbouncer}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${folder}/users.txt
pool_mode = ${mode}
default_pool_size = 60
max_client_conn = 200
ignore_startup_parameters = extra_float_digits
; Try a new primary at once, and fail requests instead of queueing them.
server_login_retry = 1
server_connect_timeout = 5
query_wait_timeout = 10
server_fast_close = 1
tcp_keepidle = 10
tcp_keepintvl = 5
tcp_keepcnt = 2
`;
}
