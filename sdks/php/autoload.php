<?php

// Loads the SDK without Composer.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Paylatch\\')) {
        $file = __DIR__ . '/src/' . strtr(substr($class, strlen('Paylatch\\')), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
