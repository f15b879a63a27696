<?php

declare(strict_types=1);

namespace Paylatch;

/** Keeps webhooks in a folder on one machine. Nothing else may be in it, and a web server must not serve it. */
final class FileStore implements WebhookStore
{
    public function __construct(private readonly string $folder)
    {
        foreach (['pending', 'processed', 'sequences', 'incomplete'] as $name) {
            if (!is_dir("$folder/$name")) {
                @mkdir("$folder/$name", 0o700, true);
            }
            if (!is_dir("$folder/$name")) {
                throw new \RuntimeException("The folder $folder/$name cannot be created");
            }
        }
    }

    public function add(StoredWebhook $webhook): bool
    {
        $name = self::name($webhook->id);
        if (is_file("$this->folder/processed/$name")) {
            return false;
        }
        // A link to a complete file appears at once, and fails if the webhook is known.
        $incomplete = $this->write(serialize([$webhook->id, $webhook->subject, $webhook->sequence, $webhook->body]));
        try {
            $isNew = @link($incomplete, "$this->folder/pending/$name");
            if (!$isNew && !is_file("$this->folder/pending/$name") && !is_file("$this->folder/processed/$name")) {
                throw new \RuntimeException("The webhook cannot be stored in $this->folder");
            }
            return $isNew;
        } finally {
            unlink($incomplete);
        }
    }

    public function pending(): array
    {
        $webhooks = [];
        foreach (self::names("$this->folder/pending") as $name) {
            $text = @file_get_contents("$this->folder/pending/$name");
            // Another process may have processed it in the meantime.
            if ($text !== false) {
                $webhooks[] = new StoredWebhook(...unserialize($text, ['allowed_classes' => false]));
            }
        }
        return $webhooks;
    }

    public function lastSequence(string $subject): int
    {
        return (int) @file_get_contents("$this->folder/sequences/" . self::name($subject));
    }

    public function markProcessed(StoredWebhook $webhook): void
    {
        $name = self::name($webhook->id);
        if ($webhook->subject !== null && $webhook->sequence > $this->lastSequence($webhook->subject)) {
            $incomplete = $this->write((string) $webhook->sequence);
            rename($incomplete, "$this->folder/sequences/" . self::name($webhook->subject));
        }
        // The body contains personal data of the payer, which is no longer needed.
        rename($this->write(''), "$this->folder/processed/$name");
        @unlink("$this->folder/pending/$name");
    }

    public function exclusively(callable $action): mixed
    {
        $lock = fopen("$this->folder/lock", 'c');
        if ($lock === false) {
            throw new \RuntimeException("The folder $this->folder cannot be locked");
        }
        try {
            if (flock($lock, LOCK_EX | LOCK_NB, $isHeld)) {
                return $action();
            }
            if ($isHeld) {
                return null;
            }
            throw new \RuntimeException("The folder $this->folder cannot be locked");
        } finally {
            fclose($lock);
        }
    }

    /** Forgets webhooks that were processed more than `days` ago. Run it daily. */
    public function prune(int $days = 90): void
    {
        foreach (['processed', 'sequences', 'incomplete'] as $kind) {
            foreach (self::names("$this->folder/$kind") as $name) {
                if (filemtime("$this->folder/$kind/$name") < time() - $days * 86_400) {
                    @unlink("$this->folder/$kind/$name");
                }
            }
        }
    }

    private function write(string $text): string
    {
        $path = "$this->folder/incomplete/" . bin2hex(random_bytes(16));
        if (file_put_contents($path, $text) !== strlen($text)) {
            throw new \RuntimeException("The folder $this->folder cannot be written to");
        }
        return $path;
    }

    /** @return list<string> */
    private static function names(string $folder): array
    {
        return array_values(array_diff(scandir($folder) ?: [], ['.', '..']));
    }

    /** IDs come from outside. */
    private static function name(string $id): string
    {
        return hash('sha256', $id);
    }
}
