<?php

declare(strict_types=1);

use Paylatch\FileStore;
use Paylatch\Model;
use Paylatch\StoredWebhook;
use Paylatch\WebhookReceiver;
use Paylatch\WebhookStore;
use Paylatch\WebhookVerificationException;
use Paylatch\WebhookVerifier;
use PHPUnit\Framework\TestCase;

final class WebhooksTest extends TestCase
{
    private const NOW = 1_795_510_800;

    private string $secret;
    private string $folder;
    /** @var list<string> */
    private array $handled = [];
    /** @var list<string> */
    private array $failing = [];
    /** @var list<string> */
    private array $logged = [];

    protected function setUp(): void
    {
        $this->secret = 'whsec_' . base64_encode('a secret of the merchant');
        $this->folder = sys_get_temp_dir() . '/paylatch-' . bin2hex(random_bytes(8));
    }

    protected function tearDown(): void
    {
        if (is_dir($this->folder)) {
            $files = new RecursiveDirectoryIterator($this->folder, FilesystemIterator::SKIP_DOTS);
            foreach (new RecursiveIteratorIterator($files, RecursiveIteratorIterator::CHILD_FIRST) as $file) {
                $file->isDir() ? rmdir((string) $file) : unlink((string) $file);
            }
            rmdir($this->folder);
        }
    }

    /** @param array<string, mixed> $data */
    private static function event(array $data = [], string $type = 'fiat.dispute.updated'): string
    {
        $dispute = [
            'merchant_id' => 1, 'transaction_id' => 'order-1', 'sequence' => 1, 'number' => 1, 'state' => 'won',
            'amount' => 12.34, 'currency' => 'USD', 'reference' => 'D1', 'reason_code' => null, 'reason' => null,
            'respond_by' => null, 'created_at' => '2026-11-21T09:00:00.000123Z',
            'updated_at' => '2026-11-21T09:00:00.000123Z', 'previous_status' => null,
        ];
        return json_encode(['type' => $type, 'timestamp' => '2026-11-21T09:00:00.000123Z', 'data' => $data + $dispute]);
    }

    /** @return array<string, string> */
    private function sign(string $body, string $id = 'evt_1', int|string $at = self::NOW, ?string $secret = null): array
    {
        $key = base64_decode(substr($secret ?? $this->secret, strlen('whsec_')));
        return [
            'Webhook-Id' => $id,
            'Webhook-Timestamp' => (string) $at,
            'Webhook-Signature' => 'v1,' . base64_encode(hash_hmac('sha256', "$id.$at.$body", $key, true)),
        ];
    }

    private function verifier(string|array|null $keys = null): WebhookVerifier
    {
        return new WebhookVerifier($keys ?? $this->secret, 1, now: static fn() => self::NOW);
    }

    private function receiver(?WebhookStore $store = null): WebhookReceiver
    {
        $handle = function (Model\WebhookEvent $event): void {
            $name = $event instanceof Model\FiatDisputeUpdatedWebhook
                ? "{$event->data->transaction_id} {$event->data->sequence}"
                : $event->data['type'];
            if (($index = array_search($name, $this->failing, true)) !== false) {
                unset($this->failing[$index]);
                throw new RuntimeException('the database is down');
            }
            $this->handled[] = $name;
        };
        $log = function (string $line): void {
            $this->logged[] = $line;
        };
        return new WebhookReceiver($this->verifier(), $store ?? new FileStore($this->folder), $handle, $log);
    }

    private function send(WebhookReceiver $receiver, string $id, int $sequence, string $reference = 'order-1'): void
    {
        $body = self::event(['sequence' => $sequence, 'transaction_id' => $reference]);
        self::assertSame(204, $receiver->receive($this->sign($body, $id), $body));
    }

    public function testReturnsTheEvent(): void
    {
        $event = $this->verifier()->verify($this->sign(self::event()), self::event());
        self::assertInstanceOf(Model\FiatDisputeUpdatedWebhook::class, $event);
        self::assertSame([12.34, 'order-1'], [$event->data->amount, $event->data->transaction_id]);
        self::assertSame('000123', $event->timestamp->format('u'));
        $body = '{"type":"new.type","data":{"merchant_id":1}}';
        $unknown = $this->verifier()->verify($this->sign($body), $body);
        self::assertInstanceOf(Model\Unknown::class, $unknown);
        self::assertSame('new.type', $unknown->data['type']);
    }

    public function testAcceptsAnyOfSeveralKeysAndSignatures(): void
    {
        $other = 'whsec_' . base64_encode('another secret');
        $body = self::event();
        $this->verifier([$this->secret, $other])->verify($this->sign($body, secret: $other), $body);
        $pair = sodium_crypto_sign_keypair();
        $public = 'whpk_' . base64_encode(sodium_crypto_sign_publickey($pair));
        $headers = $this->sign($body, secret: $other);
        $signed = sodium_crypto_sign_detached('evt_1.' . self::NOW . ".$body", sodium_crypto_sign_secretkey($pair));
        $headers['Webhook-Signature'] .= ' v1a,' . base64_encode($signed);
        $this->verifier($public)->verify($headers, $body);
        $this->expectException(WebhookVerificationException::class);
        $headers['Webhook-Signature'] = 'v1a,' . base64_encode(strrev($signed));
        $this->verifier($public)->verify($headers, $body);
    }

    public function testRejectsWhatIsNotSigned(): void
    {
        $body = self::event();
        $signed = $this->sign($body);
        $forged = [
            'no headers' => [],
            'no ID' => ['Webhook-Id' => ''] + $signed,
            'another ID' => ['Webhook-Id' => 'evt_2'] + $signed,
            'no signature' => ['Webhook-Signature' => ''] + $signed,
            'an empty signature' => ['Webhook-Signature' => 'v1,'] + $signed,
            'not base64' => ['Webhook-Signature' => 'v1,Ä'] + $signed,
            'another version' => ['Webhook-Signature' => 'v2' . substr($signed['Webhook-Signature'], 2)] + $signed,
            'another secret' => $this->sign($body, secret: 'whsec_' . base64_encode('another secret')),
            'a time that is no number' => $this->sign($body, at: '1e9'),
            'a time with a line break' => $this->sign($body, at: self::NOW . "\n"),
            'another time' => ['Webhook-Timestamp' => (string) (self::NOW + 1)] + $signed,
            'too old' => $this->sign($body, at: self::NOW - 301),
            'from the future' => $this->sign($body, at: self::NOW + 301),
        ];
        foreach ($forged as $name => $headers) {
            self::assertFalse($this->isValid($headers, $body), $name);
        }
        self::assertFalse($this->isValid($signed, self::event(['amount' => 1])), 'another body');
        self::assertTrue($this->isValid($this->sign($body, at: self::NOW - 300), $body));
        self::assertTrue($this->isValid($this->sign($body, at: self::NOW + 300), $body));
    }

    public function testRejectsWebhooksOfOtherMerchantsAndOtherBodies(): void
    {
        $bodies = [self::event(['merchant_id' => 2]), self::event(['merchant_id' => '1']), self::event(['amount' => []])];
        foreach ([...$bodies, '', '[]', '{}', '{"data":[]}', '"text"'] as $body) {
            self::assertFalse($this->isValid($this->sign($body), $body), $body);
        }
    }

    public function testRejectsKeysThatAreNone(): void
    {
        foreach ([[], '', 'whsec_', 'secret', 'whsec_Ä', 'whpk_AAAA'] as $keys) {
            try {
                $this->verifier($keys);
                self::fail(json_encode($keys));
            } catch (InvalidArgumentException $exception) {
                self::assertStringContainsString('webhook', $exception->getMessage());
            }
        }
    }

    /** @param array<string, string> $headers */
    private function isValid(array $headers, string $body): bool
    {
        try {
            $this->verifier()->verify($headers, $body);
            return true;
        } catch (WebhookVerificationException) {
            return false;
        }
    }

    public function testHandlesEachWebhookOnceAndInOrder(): void
    {
        $receiver = $this->receiver();
        foreach (['evt_3' => 3, 'evt_1' => 1, 'evt_2' => 2] as $id => $sequence) {
            $this->send($receiver, $id, $sequence);
        }
        $this->send($receiver, 'evt_1', 1);
        self::assertSame(3, $receiver->process());
        self::assertSame(['order-1 1', 'order-1 2', 'order-1 3'], $this->handled);
        // The second is older than the last one, under an ID of its own.
        $this->send($receiver, 'evt_2', 2);
        $this->send($receiver, 'evt_old', 2);
        $this->send($receiver, 'evt_other', 1, 'order-2');
        self::assertSame(2, $this->receiver()->process());
        self::assertSame('order-2 1', $this->handled[3]);
        self::assertCount(4, $this->handled);
        self::assertSame([], $this->logged);
    }

    public function testRepeatsAFailedHandlerBeforeLaterEvents(): void
    {
        $this->failing = ['order-1 1'];
        $receiver = $this->receiver();
        $this->send($receiver, 'evt_1', 1);
        $this->send($receiver, 'evt_2', 2);
        $this->send($receiver, 'evt_3', 2, 'order-2');
        self::assertSame(1, $receiver->process());
        self::assertSame(['order-2 2'], $this->handled);
        self::assertMatchesRegularExpression('/evt_1 failed: the database is down/', $this->logged[0]);
        self::assertSame(2, $receiver->process());
        self::assertSame(['order-2 2', 'order-1 1', 'order-1 2'], $this->handled);
    }

    public function testDoesNotWaitForAnotherProcess(): void
    {
        $receiver = $this->receiver();
        $this->send($receiver, 'evt_1', 1);
        $lock = fopen("$this->folder/lock", 'c');
        self::assertTrue(flock($lock, LOCK_EX));
        self::assertSame(0, $receiver->process());
        fclose($lock);
        self::assertSame(1, $receiver->process());
    }

    public function testProcessesWebhooksThatArriveInTheMeantime(): void
    {
        $whileLocked = function (): void {
            if ($this->handled === ['order-1 1']) {
                // The process that stores it does not wait.
                $this->send($this->receiver(), 'evt_2', 2);
                self::assertSame(0, $this->receiver()->process());
            }
        };
        $store = new class (new FileStore($this->folder), $whileLocked) implements WebhookStore {
            public function __construct(private FileStore $store, private Closure $whileLocked) {}

            public function add(StoredWebhook $webhook): bool
            {
                return $this->store->add($webhook);
            }

            public function pending(): array
            {
                return $this->store->pending();
            }

            public function lastSequence(string $subject): int
            {
                return $this->store->lastSequence($subject);
            }

            public function markProcessed(StoredWebhook $webhook): void
            {
                $this->store->markProcessed($webhook);
            }

            public function exclusively(callable $action): mixed
            {
                return $this->store->exclusively(function () use ($action): mixed {
                    $result = $action();
                    ($this->whileLocked)();
                    return $result;
                });
            }
        };
        $receiver = $this->receiver($store);
        $this->send($receiver, 'evt_1', 1);
        self::assertSame(2, $receiver->process());
        self::assertSame(['order-1 1', 'order-1 2'], $this->handled);
    }

    public function testRejectsForgedWebhooks(): void
    {
        $receiver = $this->receiver();
        self::assertSame(401, $receiver->receive($this->sign(self::event(), 'evt_1'), self::event(['amount' => 1])));
        self::assertSame(0, $receiver->process());
    }

    public function testHandlesEventsWithoutAnOrder(): void
    {
        $receiver = $this->receiver();
        foreach (['evt_1', 'evt_2'] as $id) {
            $body = json_encode(['type' => 'new.type', 'data' => ['merchant_id' => 1]]);
            $receiver->receive($this->sign($body, $id), $body);
        }
        self::assertSame(2, $receiver->process());
        self::assertSame(['new.type', 'new.type'], $this->handled);
    }

    public function testStoresNoBodyOfHandledWebhooks(): void
    {
        $store = new FileStore($this->folder);
        $webhook = new StoredWebhook('../../evil', 'fiat.transaction:order-1', 2, 'Ada Lovelace');
        self::assertTrue($store->add($webhook));
        self::assertFalse($store->add($webhook));
        self::assertEquals([$webhook], $store->pending());
        $store->markProcessed($webhook);
        self::assertFalse($store->add($webhook));
        self::assertSame([], $store->pending());
        self::assertSame(2, $store->lastSequence('fiat.transaction:order-1'));
        foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($this->folder, FilesystemIterator::SKIP_DOTS)) as $file) {
            self::assertStringNotContainsString('Ada', (string) file_get_contents((string) $file));
        }
        $store->prune(-1);
        self::assertTrue($store->add($webhook));
    }
}
