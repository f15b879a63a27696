<?php

declare(strict_types=1);

namespace Paylatch;

/** A verified webhook. Those of one `subject`, such as a payment, are processed by `sequence`. */
final readonly class StoredWebhook
{
    /** @param string|null $subject Null if the event has no order */
    public function __construct(
        public string $id,
        public ?string $subject,
        public int $sequence,
        public string $body,
    ) {}

    public static function fromRequest(string $id, string $body): self
    {
        $event = json_decode($body, true, flags: JSON_BIGINT_AS_STRING);
        $data = $event['data'];
        $identity = $data['transaction_id'] ?? $data['id'] ?? null;
        $sequence = $data['sequence'] ?? null;
        if ($identity === null || !is_int($sequence)) {
            return new self($id, null, 0, $body);
        }
        // `fiat.dispute` and `fiat.transaction` have different data, so neither replaces the other.
        $kind = substr($event['type'], 0, (int) strrpos($event['type'], '.'));
        $subject = implode(':', [$kind, $identity, ...(isset($data['number']) ? [$data['number']] : [])]);
        return new self($id, $subject, $sequence, $body);
    }
}
