<?php

// Generated from the OpenAPI document by `npm run generate`: change src/api, not this file.

declare(strict_types=1);

namespace Paylatch\Model;

/**
 * One of several types, or `Unknown`:
 *
 * - {@see LinkCreated}: link
 * - {@see CustomFormCreated}: custom_form
 */
interface RenewTransactionResponse
{
}
