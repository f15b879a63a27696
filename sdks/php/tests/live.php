<?php

// Against a running sandbox: test/sdks/sdks.test.ts starts it and sets the environment.

declare(strict_types=1);

use Paylatch\ClientCredentials;
use Paylatch\Model;
use Paylatch\Paylatch;
use Paylatch\PaylatchException;

require __DIR__ . '/../autoload.php';

set_error_handler(static function (int $level, string $message, string $file, int $line): never {
    throw new ErrorException($message, 0, $level, $file, $line);
});

/** `fault` is the name of a fault and how often it happens, such as `cut:1`. */
function client(?string $fault = null, mixed ...$options): Paylatch
{
    $url = (string) getenv($fault === null ? 'BASE_URL' : 'FAULT_URL');
    $headers = $fault === null ? [] : ['X-Fault' => "$fault:" . bin2hex(random_bytes(8))];
    return new Paylatch($url, (string) getenv('ACCESS_TOKEN'), $headers, ...$options);
}

/** @return array<string, mixed> */
function order(mixed ...$fields): array
{
    return $fields + [
        'transaction_id' => 'php-' . bin2hex(random_bytes(8)),
        'payment_method' => 'credit_card',
        'amount' => 12.50,
        'country' => 'USA',
        'currency' => Model\Currency::USD,
        'description' => 'Two cups and a saucer',
        'payer' => [],
        'line_items' => [
            ['name' => 'Cup', 'quantity' => 2, 'unit_amount' => 4.25],
            ['name' => 'Saucer', 'unit_amount' => 4],
        ],
        'success_redirect_url' => 'https://shop.example/paid',
        'fail_redirect_url' => null,
        'type_of_calculation' => 'forward_without_fee',
    ];
}

/** @return array<string, mixed> */
function card(string $reference, string $number = '4242424242424242'): array
{
    return [
        'transaction_id' => $reference,
        'card_number' => $number,
        'card_expiry_month' => '04',
        'card_expiry_year' => '2040',
        'card_cvv' => '123',
        'first_name' => 'Ada',
        'last_name' => 'Lovelace',
        'country' => 'GB',
        'city' => 'London',
        'postcode' => 'W1J 7NT',
        'address' => '12 St James’s Square',
        'phone' => '+44 20 7946 0000',
        'email' => 'ada@example.com',
    ];
}

function same(mixed $expected, mixed $actual): void
{
    if ($expected !== $actual) {
        throw new RuntimeException('Expected ' . var_export($expected, true) . ', not ' . var_export($actual, true));
    }
}

function fails(string $code, callable $call): PaylatchException
{
    try {
        $call();
    } catch (PaylatchException $exception) {
        same($code, $exception->errorCode);
        return $exception;
    }
    throw new RuntimeException("The call succeeded instead of failing with $code");
}

$tests = [
    'takes and refunds a payment' => static function (): void {
        $paylatch = client();
        $expiresAt = new DateTimeImmutable('+1 hour');
        $created = $paylatch->createTransaction(...order(expires_at: $expiresAt));
        same(true, $created instanceof Model\LinkCreated);
        same(true, str_starts_with($created->value->link, (string) getenv('BASE_URL')));
        same($expiresAt->format('U.u'), $created->expires_at->format('U.u'));
        $declined = $paylatch->submitCard(...card($created->transaction_id, '4000000000000002'));
        same('declined', $declined->response_type);
        same(true, $declined->decline->retryable);
        same('confirmed', $paylatch->submitCard(...card($created->transaction_id))->response_type);
        $paylatch->refundTransaction(transaction_id: $created->transaction_id, amount: 0.10);
        $detail = $paylatch->getTransaction(transaction_id: $created->transaction_id);
        same([12.5, 0.1], [$detail->amount, $detail->refunded_amount]);
        same(Model\TransactionStatus::CONFIRMED, $detail->status);
        same([4.25, 4], array_map(static fn(Model\LineItem $item) => $item->unit_amount, $detail->line_items));
    },
    'lists all pages' => static function (): void {
        $paylatch = client();
        $references = array_map(static fn() => $paylatch->createTransaction(...order())->transaction_id, range(1, 5));
        same(2, count($paylatch->listTransactions(per_page: 2)->transactions));
        $listed = [];
        foreach ($paylatch->iterateTransactions(per_page: 2, order_direction: 'desc') as $transaction) {
            $listed[] = $transaction->transaction_id;
        }
        same(array_reverse($references), array_slice($listed, 0, 5));
        same(count($listed), count(array_unique($listed)));
    },
    'finds records by metadata' => static function (): void {
        $paylatch = client();
        $metadata = ['order id' => 'A&B 1001', 'shop' => 'kettle'];
        $reference = $paylatch->createTransaction(...order(metadata: $metadata))->transaction_id;
        $paylatch->createTransaction(...order(metadata: ['order id' => 'another']));
        $found = $paylatch->listTransactions(metadata: $metadata)->transactions;
        same([$reference], array_map(static fn($transaction) => $transaction->transaction_id, $found));
    },
    'retries with the same idempotency key' => static function (): void {
        $direct = client();
        $reference = $direct->createTransaction(...order())->transaction_id;
        $direct->submitCard(...card($reference));
        // The service refunds, but its response is lost.
        client('cut:1')->refundTransaction($reference, amount: 2, idempotencyKey: "refund $reference");
        same(2, $direct->getTransaction($reference)->refunded_amount);
        client('bad_gateway:2')->refundTransaction($reference, amount: 2, idempotencyKey: "more $reference");
        same(4, $direct->getTransaction($reference)->refunded_amount);
        $lost = fails('unreachable', static fn() => client('cut:1')->refundTransaction($reference, amount: 1));
        same([true, null], [$lost->retryable, $lost->status]);
        $reused = fails('idempotency_key_reused', static fn() => $direct->refundTransaction($reference, amount: 3, idempotencyKey: "refund $reference"));
        same(422, $reused->status);
    },
    'retries reads' => static function (): void {
        $delays = [];
        $sleep = static function (float $seconds) use (&$delays): void {
            $delays[] = $seconds;
        };
        client('bad_gateway:2', sleep: $sleep)->listCurrencies();
        same(2, count($delays));
        same(true, 0.125 <= $delays[0] && $delays[0] <= 0.25 && 0.25 <= $delays[1] && $delays[1] <= 0.5);
        $busy = fails('rate_limited', static fn() => client('busy:9', sleep: $sleep)->listCurrencies());
        same([1, 'token'], [$busy->retryAfter, $busy->limit]);
        same([1.0, 1.0], array_slice($delays, 2));
        fails('rate_limited', static fn() => client('busy:1', maxRetryDelay: 0.5)->listCurrencies());
        $flaky = client('bad_gateway:1', maxRetries: 0);
        $token = static function () use ($flaky): string {
            $flaky->listCurrencies();
            return (string) getenv('ACCESS_TOKEN');
        };
        (new Paylatch((string) getenv('BASE_URL'), $token, sleep: $sleep))->listCurrencies();
        $bad = fails('unexpected_response', static fn() => client('bad_gateway:1', maxRetries: 0)->listCurrencies());
        same([502, true], [$bad->status, $bad->retryable]);
        fails('timed_out', static fn() => client('hang:1', maxRetries: 0)->listCurrencies(timeout: 0.2));
        fails('unexpected_response', static fn() => client('redirect:1', maxRetries: 0)->listCurrencies());
    },
    'maps errors' => static function (): void {
        $wrong = fails('validation_failed', static fn() => client()->createTransaction(...order(amount: 0.001, country: 'XXX')));
        $pointers = array_map(static fn($error) => $error->pointer, $wrong->errors);
        sort($pointers);
        same([['/amount', '/country'], 422, false], [$pointers, $wrong->status, $wrong->retryable]);
        same(1, preg_match('/^req_/', (string) $wrong->requestId));
        $missing = fails('not_found', static fn() => client()->getTransaction('order-of-nobody'));
        same(true, str_contains($missing->getMessage(), 'transaction_id'));
        $stranger = new Paylatch((string) getenv('BASE_URL'), 'pl_test_stranger');
        same(401, fails('unauthorized', static fn() => $stranger->listCurrencies())->status);
        fails('unreachable', static fn() => (new Paylatch('http://127.0.0.1:9', '', maxRetries: 0))->listCurrencies());
        try {
            new Paylatch('file:///etc/passwd', '');
            throw new RuntimeException('A file was accepted as a base URL');
        } catch (InvalidArgumentException) {
        }
    },
    'keeps card numbers out of stack traces' => static function (): void {
        ini_set('zend.exception_ignore_args', '0');
        $exception = fails('not_found', static fn() => client()->submitCard(...card('order-of-nobody')));
        same(false, str_contains(print_r($exception->getTrace(), true), '4242424242424242'));
        same(false, str_contains(print_r($exception->getTrace(), true), (string) getenv('ACCESS_TOKEN')));
    },
    'gets tokens with client credentials' => static function (): void {
        [$url, $id] = [(string) getenv('FAULT_URL'), (string) getenv('CLIENT_ID')];
        $token = new ClientCredentials($url, $id, (string) getenv('CLIENT_SECRET'));
        (new Paylatch($url, $token))->listCurrencies();
        same($token(), $token());
        $rejected = $token();
        $fault = static fn(int $times) => ['X-Fault' => "unauthorized:$times:" . bin2hex(random_bytes(8))];
        (new Paylatch($url, $token, $fault(1)))->createTransaction(...order());
        same(false, $token() === $rejected);
        fails('unauthorized', static fn() => (new Paylatch($url, $token, $fault(2)))->listCurrencies());
        $wrong = new Paylatch($url, new ClientCredentials($url, $id, 'wrong'));
        fails('token_refused', static fn() => $wrong->listCurrencies());
    },
    'sends null and omits parameters' => static function (): void {
        client()->setPreference(key: 'brand-name', value: 'Kettle');
        same(null, client()->setPreference(key: 'brand-name', value: null)->value);
    },
    'follows events' => static function (): void {
        $paylatch = client();
        $reference = $paylatch->createTransaction(...order())->transaction_id;
        $paylatch->submitCard(...card($reference));
        // The service holds these requests longer than the client's timeout.
        foreach (client('hang:0', maxRetries: 0, timeout: 0.0001)->followEvents() as $page) {
            foreach ($page->events as $event) {
                $isPaid = $event instanceof Model\TransactionEvent && $event->data->transaction_id === $reference
                    && $event->data->status === Model\TransactionStatus::CONFIRMED;
                if ($isPaid) {
                    return;
                }
            }
        }
    },
];

foreach ($tests as $name => $test) {
    try {
        $test();
        echo "ok $name\n";
    } catch (Throwable $error) {
        echo "not ok $name: $error\n";
        exit(1);
    }
}
