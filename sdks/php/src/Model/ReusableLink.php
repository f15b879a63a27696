<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ReusableLink
{
    public function __construct(
        public string $id,
        /** Page to share or print; each buyer gets a separate transaction */
        public string $url,
        /**
         * `active`: creates a transaction for each buyer; `archived`: creates no new transactions; open ones
         * can still be paid
         * @var 'active'|'archived'
         */
        public string $status,
        public string $title,
        public ?string $description,
        public ?string $image_url,
        public string $country,
        public string $currency,
        public string $payment_method,
        /** @var 'forward_without_fee'|'forward_with_fee' */
        public string $type_of_calculation,
        public int|float|null $amount,
        public ?ReusableLinkCustomAmount $custom_amount,
        public ?ReusableLinkQuantity $quantity,
        public ?int $stock,
        /** @var list<'email'|'name'> */
        public array $ask,
        public ?string $success_redirect_url,
        public ?string $fail_redirect_url,
        /** @var array<string, string>|null */
        public ?array $metadata,
        /** Quantity sold in paid transactions, including refunded ones */
        public int $sold,
        /** Quantity reserved by open transactions */
        public int $reserved,
        /** `stock` less `sold` and `reserved`; null without a limit */
        public ?int $available,
        /** Amount received from paid transactions, less refunds */
        public int|float $revenue,
        public \DateTimeImmutable $created_at,
        public \DateTimeImmutable $updated_at,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            url: $data['url'],
            status: $data['status'],
            title: $data['title'],
            description: $data['description'] ?? null,
            image_url: $data['image_url'] ?? null,
            country: $data['country'],
            currency: $data['currency'],
            payment_method: $data['payment_method'],
            type_of_calculation: $data['type_of_calculation'],
            amount: $data['amount'] ?? null,
            custom_amount: isset($data['custom_amount']) ? ReusableLinkCustomAmount::fromArray($data['custom_amount']) : null,
            quantity: isset($data['quantity']) ? ReusableLinkQuantity::fromArray($data['quantity']) : null,
            stock: $data['stock'] ?? null,
            ask: $data['ask'],
            success_redirect_url: $data['success_redirect_url'] ?? null,
            fail_redirect_url: $data['fail_redirect_url'] ?? null,
            metadata: $data['metadata'] ?? null,
            sold: $data['sold'],
            reserved: $data['reserved'],
            available: $data['available'] ?? null,
            revenue: $data['revenue'],
            created_at: new \DateTimeImmutable($data['created_at']),
            updated_at: new \DateTimeImmutable($data['updated_at']),
        );
    }
}
