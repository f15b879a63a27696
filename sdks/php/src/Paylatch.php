<?php

declare(strict_types=1);

namespace Paylatch;

/**
 * Client of the merchant API. Its methods throw a `PaylatchException` if a call fails.
 *
 * Reads, and calls with an idempotency key, are retried. All other calls are sent once.
 */
final class Paylatch
{
    use Operations;

    private const FIRST_DELAY = 0.25;
    private const MAX_EVENTS = 100;
    private const WAIT_SECONDS = 30;
    /** Shortest timeout of a request that waits for events, in seconds. */
    private const MIN_WAIT_TIMEOUT = self::WAIT_SECONDS + 10;

    private readonly string $baseUrl;
    private readonly Connection $connection;
    /** @var \Closure(): string */
    private readonly \Closure $token;
    private readonly ?ClientCredentials $credentials;
    /** @var array<string, string> */
    private readonly array $headers;
    /** @var \Closure(float): void */
    private readonly \Closure $sleep;

    /**
     * @param string $baseUrl Base URL of the service, such as `https://pay.example`
     * @param string|callable(): string $token An access token, or a function that returns one and is called before every request
     * @param array<string, string> $headers Sent with every request
     * @param int $maxRetries Retries of requests that are safe to repeat
     * @param float $maxRetryDelay Longest delay before a retry, in seconds. If the service asks for more, the call throws
     * @param float $timeout Seconds to wait for a response
     * @param (callable(float): void)|null $sleep Waits before a retry
     */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] string|callable $token,
        array $headers = [],
        private readonly int $maxRetries = 2,
        private readonly float $maxRetryDelay = 60,
        private readonly float $timeout = 60,
        ?callable $sleep = null,
    ) {
        $this->baseUrl = Connection::checkedUrl($baseUrl);
        $this->connection = new Connection();
        $this->token = is_string($token) ? static fn(): string => $token : $token(...);
        $this->credentials = $token instanceof ClientCredentials ? $token : null;
        $this->headers = array_change_key_case($headers);
        $this->sleep = ($sleep ?? static fn(float $seconds) => usleep((int) ($seconds * 1e6)))(...);
    }

    /**
     * Yields events indefinitely, starting after `after`, or with the oldest stored event. Store `next` once you have
     * processed `events`; pass it as `after` to resume without gaps. The timeout of its requests is at least 40 s: the
     * service holds them for up to 30 s.
     *
     * @return \Generator<int, Model\ListEventsResponse>
     */
    public function followEvents(?string $after = null): \Generator
    {
        $timeout = max($this->timeout, self::MIN_WAIT_TIMEOUT);
        while (true) {
            $page = $this->listEvents(after: $after, limit: self::MAX_EVENTS, wait: self::WAIT_SECONDS, timeout: $timeout);
            if ($page->next !== null) {
                $after = $page->next;
                if ($page->events !== []) {
                    yield $page;
                }
            }
        }
    }

    /**
     * @template T
     * @param array<string, mixed> $values
     * @param callable(array<string, mixed>): T $decode
     * @return T
     */
    private function call(
        string $method,
        string $path,
        string $sends,
        #[\SensitiveParameter] array $values,
        callable $decode,
        ?string $idempotencyKey,
        ?float $timeout,
    ): mixed {
        $sent = array_filter($values, static fn(mixed $value) => $value !== Omit::Value);
        $url = $this->baseUrl . $path;
        if ($sends === 'query' && $sent !== []) {
            $url .= '?' . http_build_query(array_map(self::queryValue(...), $sent));
        }
        $body = $sends === 'body' ? self::json($sent) : null;
        $isRepeatable = $method === 'GET' || $idempotencyKey !== null;
        $isForgotten = false;
        for ($attempt = 0; ; $attempt++) {
            try {
                $headers = ['authorization' => 'Bearer ' . ($this->token)()] + $this->headers;
                if ($idempotencyKey !== null) {
                    $headers['idempotency-key'] = $idempotencyKey;
                }
                if ($body !== null) {
                    $headers['content-type'] = 'application/json';
                }
                $response = $this->connection->send($method, $url, $headers, $body, $timeout ?? $this->timeout);
                break;
            } catch (PaylatchException $exception) {
                // The service has not run the request, so every request can be repeated. Once, with another token.
                if ($exception->errorCode === 'unauthorized' && $this->credentials !== null && !$isForgotten) {
                    $this->credentials->forget();
                    $isForgotten = true;
                    $attempt--;
                    continue;
                }
                // The delay that the service asks for, otherwise exponential backoff with jitter.
                $jitter = 0.5 + random_int(0, 1000) / 2000;
                $delay = $exception->retryAfter ?? self::FIRST_DELAY * 2 ** $attempt * $jitter;
                $isFinal = !$isRepeatable || $attempt >= $this->maxRetries || !$exception->retryable;
                if ($isFinal || $delay > $this->maxRetryDelay) {
                    throw $exception;
                }
                ($this->sleep)($delay);
            }
        }
        try {
            return $decode($response);
        } catch (\TypeError $error) {
            throw PaylatchException::fromResponse(200, [], null, $error);
        }
    }

    /** @param array<string, mixed> $values */
    private static function json(#[\SensitiveParameter] array $values): string
    {
        array_walk_recursive($values, static function (mixed &$value): void {
            $value = $value instanceof \DateTimeInterface ? self::time($value) : $value;
        });
        return json_encode((object) $values, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
    }

    /** @return string|array<string, string> A map becomes one parameter per key, such as `metadata[order]`. */
    private static function queryValue(mixed $value): string|array
    {
        return match (true) {
            is_bool($value) => $value ? 'true' : 'false',
            is_array($value) => implode(',', array_map(self::queryValue(...), $value)),
            $value instanceof \stdClass => array_map(self::queryValue(...), (array) $value),
            $value instanceof \DateTimeInterface => self::time($value),
            default => (string) $value,
        };
    }

    private static function time(\DateTimeInterface $time): string
    {
        return $time->format('Y-m-d\TH:i:s.uP');
    }
}
