<?php

declare(strict_types=1);

namespace Paylatch;

/** Remembers webhooks. `FileStore` keeps them in a folder; implement this interface to keep them in your database. */
interface WebhookStore
{
    /** Stores a webhook durably; returns false if its ID is already known. */
    public function add(StoredWebhook $webhook): bool;

    /**
     * Returns the webhooks that are not processed yet.
     *
     * @return list<StoredWebhook>
     */
    public function pending(): array;

    /** Returns the highest processed sequence of a subject; 0 if there is none. */
    public function lastSequence(string $subject): int;

    /** Marks a webhook as processed. Keep its ID for as long as the service may send it again. */
    public function markProcessed(StoredWebhook $webhook): void;

    /**
     * Runs an action, or returns null at once if another process is running one: a burst of webhooks must not block all
     * PHP workers.
     *
     * @template T
     * @param callable(): T $action
     * @return T|null
     */
    public function exclusively(callable $action): mixed;
}
