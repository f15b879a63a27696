<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/** A value of a type that this version of the SDK does not know. */
final readonly class Unknown implements CreateTransactionResponse, RenewTransactionResponse, ListEventsResponseEvent, ListTransactionEventsResponseEvent, WebhookEvent
{
    /** @param array<string, mixed> $data */
    public function __construct(public array $data) {}

    /** @param array<string, mixed> $data */
    public static function createTransactionResponse(array $data): CreateTransactionResponse
    {
        return match ($data['type'] ?? null) {
            'link' => LinkCreated::fromArray($data),
            'custom_form' => CustomFormCreated::fromArray($data),
            default => new self($data),
        };
    }

    /** @param array<string, mixed> $data */
    public static function renewTransactionResponse(array $data): RenewTransactionResponse
    {
        return match ($data['type'] ?? null) {
            'link' => LinkCreated::fromArray($data),
            'custom_form' => CustomFormCreated::fromArray($data),
            default => new self($data),
        };
    }

    /** @param array<string, mixed> $data */
    public static function listEventsResponseEvent(array $data): ListEventsResponseEvent
    {
        return match ($data['type'] ?? null) {
            'fiat.transaction.updated' => TransactionEvent::fromArray($data),
            'fiat.dispute.created', 'fiat.dispute.updated', 'fiat.dispute.closed' => DisputeEvent::fromArray($data),
            'crypto.transaction.created', 'crypto.transaction.updated' => CryptoTransactionEvent::fromArray($data),
            'crypto.withdrawal.updated' => WithdrawalEvent::fromArray($data),
            'crypto.withdrawal.destination_changed' => WithdrawalDestinationChangeEvent::fromArray($data),
            'callback.url_changed' => CallbackUrlChangeEvent::fromArray($data),
            'callback.endpoint_changed' => WebhookEndpointChangeEvent::fromArray($data),
            default => new self($data),
        };
    }

    /** @param array<string, mixed> $data */
    public static function listTransactionEventsResponseEvent(array $data): ListTransactionEventsResponseEvent
    {
        return match ($data['type'] ?? null) {
            'fiat.transaction.updated' => TransactionEvent::fromArray($data),
            'fiat.dispute.created', 'fiat.dispute.updated', 'fiat.dispute.closed' => DisputeEvent::fromArray($data),
            default => new self($data),
        };
    }

    /** @param array<string, mixed> $data */
    public static function webhookEvent(array $data): WebhookEvent
    {
        return match ($data['type'] ?? null) {
            'fiat.transaction.updated' => FiatTransactionUpdatedWebhook::fromArray($data),
            'fiat.dispute.created' => FiatDisputeCreatedWebhook::fromArray($data),
            'fiat.dispute.updated' => FiatDisputeUpdatedWebhook::fromArray($data),
            'fiat.dispute.closed' => FiatDisputeClosedWebhook::fromArray($data),
            'crypto.transaction.created' => CryptoTransactionCreatedWebhook::fromArray($data),
            'crypto.transaction.updated' => CryptoTransactionUpdatedWebhook::fromArray($data),
            'crypto.withdrawal.updated' => CryptoWithdrawalUpdatedWebhook::fromArray($data),
            'crypto.withdrawal.destination_changed' => CryptoWithdrawalDestinationChangedWebhook::fromArray($data),
            'callback.url_changed' => CallbackUrlChangedWebhook::fromArray($data),
            'callback.endpoint_changed' => CallbackEndpointChangedWebhook::fromArray($data),
            'callback.test' => CallbackTestWebhook::fromArray($data),
            default => new self($data),
        };
    }
}
