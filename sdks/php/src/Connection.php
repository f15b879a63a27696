<?php

declare(strict_types=1);

namespace Paylatch;

/** Sends single requests over a connection that is kept open. */
final class Connection
{
    private \CurlHandle $curl;

    public function __construct()
    {
        $this->curl = curl_init();
    }

    /** Keeps a path, for a service behind a reverse proxy. */
    public static function checkedUrl(string $baseUrl): string
    {
        if (preg_match('~^https?://[^/]~i', $baseUrl) !== 1) {
            throw new \InvalidArgumentException("The base URL must start with https:// or http://, not '$baseUrl'");
        }
        return rtrim($baseUrl, '/');
    }

    /**
     * Returns the parsed body of a successful response.
     *
     * @param array<string, string> $headers
     * @return array<string, mixed>
     */
    public function send(
        string $method,
        string $url,
        #[\SensitiveParameter] array $headers,
        #[\SensitiveParameter] ?string $body,
        float $timeout,
    ): array {
        $headers += ['accept' => 'application/json', 'user-agent' => self::userAgent()];
        $received = [];
        curl_reset($this->curl);
        curl_setopt_array($this->curl, [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => array_map(
                static fn(string $name, string $value) => "$name: " . str_replace(["\r", "\n"], '', $value),
                array_keys($headers),
                $headers,
            ),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => (int) ceil($timeout * 1000),
            // The API never redirects. Following a redirect would send the token elsewhere.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_HEADERFUNCTION => static function ($curl, string $line) use (&$received): int {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $received[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ]);
        if ($body !== null) {
            curl_setopt($this->curl, CURLOPT_POSTFIELDS, $body);
        }
        $text = curl_exec($this->curl);
        if (!is_string($text)) {
            throw $this->connectionError($timeout);
        }
        $status = curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE);
        // Not JSON: not a response from the service.
        $parsed = json_decode($text, true, flags: JSON_BIGINT_AS_STRING);
        if ($status < 200 || $status > 299 || !is_array($parsed)) {
            throw PaylatchException::fromResponse($status, $received, $parsed);
        }
        return $parsed;
    }

    private function connectionError(float $timeout): PaylatchException
    {
        $previous = new \RuntimeException(curl_error($this->curl), curl_errno($this->curl));
        return curl_errno($this->curl) === CURLE_OPERATION_TIMEDOUT
            ? new PaylatchException('timed_out', "The service did not respond within $timeout s.", retryable: true, previous: $previous)
            : new PaylatchException('unreachable', 'The service is unreachable. Check the base URL and the network.', retryable: true, previous: $previous);
    }

    private static function userAgent(): string
    {
        return 'paylatch-php/' . Version::VERSION . ' php/' . PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;
    }
}
