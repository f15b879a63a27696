<?php

// A shop that creates payment links and receives webhooks:
//
//     ACCESS_TOKEN=pl_test_… MERCHANT_ID=1 WEBHOOK_SECRET=whsec_… php -S localhost:8092 sdks/php/examples/server.php
//
// `POST /pay?order=order-1001` redirects to a payment page; `POST /webhooks` is the webhook endpoint. Webhooks whose
// processing failed are processed again by cron: `php sdks/php/examples/server.php process`.

declare(strict_types=1);

use Paylatch\FileStore;
use Paylatch\Model;
use Paylatch\Paylatch;
use Paylatch\PaylatchException;
use Paylatch\WebhookReceiver;
use Paylatch\WebhookVerifier;

require __DIR__ . '/../autoload.php';

function handle(Model\WebhookEvent $event): void
{
    $line = match (true) {
        // Fulfill the order here, once: update it where its status is not yet `$event->data->status`.
        $event instanceof Model\FiatTransactionUpdatedWebhook =>
            "{$event->data->transaction_id}: {$event->data->status}, {$event->data->sequence}",
        default => 'another event',
    };
    file_put_contents('php://stderr', "$line\n");
}

$receiver = new WebhookReceiver(
    new WebhookVerifier(explode(',', (string) getenv('WEBHOOK_SECRET')), (int) getenv('MERCHANT_ID')),
    new FileStore(getenv('STORE') ?: __DIR__ . '/../../../data/webhooks'),
    handle(...),
);

if (PHP_SAPI === 'cli') {
    $receiver->process();
    exit;
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
} elseif ($path === '/webhooks') {
    [$headers, $body] = WebhookVerifier::currentRequest();
    WebhookReceiver::respond($receiver->receive($headers, $body));
    $receiver->process();
} elseif ($path === '/pay') {
    $paylatch = new Paylatch(getenv('BASE_URL') ?: 'http://localhost:8080', (string) getenv('ACCESS_TOKEN'));
    try {
        $created = $paylatch->createTransaction(
            transaction_id: (string) $_GET['order'],
            payment_method: 'credit_card',
            amount: 12.50,
            country: 'USA',
            currency: Model\Currency::USD,
            description: 'Two cups and a saucer',
            success_redirect_url: 'https://shop.example/paid',
            fail_redirect_url: 'https://shop.example/failed',
            type_of_calculation: 'forward_without_fee',
            idempotencyKey: (string) $_GET['order'],
        );
        if ($created instanceof Model\LinkCreated) {
            header("Location: {$created->value->link}", true, 303);
        }
    } catch (PaylatchException $exception) {
        error_log("{$exception->getMessage()} ({$exception->errorCode}, request {$exception->requestId})");
        http_response_code(502);
    }
} else {
    http_response_code(404);
}
