<?php

declare(strict_types=1);

namespace Paylatch;

/**
 * Receives webhooks: verifies, deduplicates and acknowledges them, and processes them in order.
 *
 *     [$headers, $body] = WebhookVerifier::currentRequest();
 *     WebhookReceiver::respond($receiver->receive($headers, $body));
 *     $receiver->process();
 *
 * - A webhook that was received before is acknowledged and not processed again.
 * - Events of one payment, dispute, crypto transaction or withdrawal are processed in order. An event that is older than
 *   the last processed one is skipped, because each event contains the whole state.
 * - If the handler throws, the webhook stays pending, and later events of the same payment wait for it. The next call
 *   of `process` runs it again: call it from cron too.
 */
final class WebhookReceiver
{
    /** @var \Closure(Model\WebhookEvent): void */
    private readonly \Closure $handler;
    /** @var \Closure(string): void */
    private readonly \Closure $log;

    /**
     * @param callable(Model\WebhookEvent): void $handler
     * @param (callable(string): void)|null $log By default `error_log`
     */
    public function __construct(
        private readonly WebhookVerifier $verifier,
        private readonly WebhookStore $store,
        callable $handler,
        ?callable $log = null,
    ) {
        $this->handler = $handler(...);
        $this->log = ($log ?? static fn(string $line) => error_log($line))(...);
    }

    /**
     * Stores a webhook for processing and returns the HTTP status to respond with.
     *
     * @param array<string, string> $headers
     */
    public function receive(array $headers, string $body): int
    {
        try {
            $this->verifier->verify($headers, $body);
        } catch (WebhookVerificationException $exception) {
            ($this->log)("Rejected a webhook: {$exception->getMessage()}");
            return 401;
        }
        $this->store->add(StoredWebhook::fromRequest(array_change_key_case($headers)['webhook-id'], $body));
        return 204;
    }

    /** Responds to the current request, before it is processed. */
    public static function respond(int $status): void
    {
        http_response_code($status);
        ignore_user_abort(true);
        if (function_exists('fastcgi_finish_request')) {
            fastcgi_finish_request();
        } else {
            header('Content-Length: 0');
            header('Connection: close');
            while (ob_get_level() > 0) {
                ob_end_flush();
            }
            flush();
        }
    }

    /**
     * Processes all pending webhooks; returns the number of processed ones. Returns 0 at once if another process does so:
     * that one also processes the webhooks that arrive in the meantime.
     */
    public function process(): int
    {
        $tried = $failed = [];
        $count = 0;
        do {
            $processed = $this->store->exclusively(function () use (&$tried, &$failed): int {
                return $this->processUntried($tried, $failed);
            });
            $count += (int) $processed;
            // Checked after the lock is released, because the process that stores a webhook does not wait for it.
        } while ($processed !== null && $this->untried($tried) !== []);
        return $count;
    }

    /**
     * @param array<string, true> $tried IDs of webhooks
     * @param array<string, true> $failed Subjects whose later events wait
     */
    private function processUntried(array &$tried, array &$failed): int
    {
        $pending = $this->untried($tried);
        usort($pending, static fn(StoredWebhook $one, StoredWebhook $other) => $one->sequence <=> $other->sequence);
        $processed = 0;
        foreach ($pending as $webhook) {
            $tried[$webhook->id] = true;
            if ($webhook->subject !== null && isset($failed[$webhook->subject])) {
                continue;
            }
            try {
                $this->processOne($webhook);
                $processed++;
            } catch (\Throwable $error) {
                ($this->log)("Processing webhook {$webhook->id} failed: {$error->getMessage()}");
                if ($webhook->subject !== null) {
                    $failed[$webhook->subject] = true;
                }
            }
        }
        return $processed;
    }

    /**
     * @param array<string, true> $tried
     * @return list<StoredWebhook>
     */
    private function untried(array $tried): array
    {
        $isUntried = static fn(StoredWebhook $webhook) => !isset($tried[$webhook->id]);
        return array_values(array_filter($this->store->pending(), $isUntried));
    }

    private function processOne(StoredWebhook $webhook): void
    {
        if ($webhook->subject === null || $webhook->sequence > $this->store->lastSequence($webhook->subject)) {
            ($this->handler)(Model\Unknown::webhookEvent(json_decode($webhook->body, true, flags: JSON_BIGINT_AS_STRING)));
        }
        $this->store->markProcessed($webhook);
    }
}
