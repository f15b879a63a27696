<?php

declare(strict_types=1);

namespace Paylatch;

/** A request that is not a valid webhook of the merchant. Respond with status 401. */
final class WebhookVerificationException extends \RuntimeException {}
