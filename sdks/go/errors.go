package paylatch

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Error is a failed call. Message says what happened and what to do.
//
// Code is stable: a ProblemCode of the service (docs/errors.md), or
//   - unreachable: the service could not be reached
//   - timed_out: the service did not respond in time
//   - unexpected_response: the response is not from the service, such as a proxy's error page
//   - token_refused: the client credentials were rejected
//
// Later releases may add codes.
type Error struct {
	Code    ProblemCode
	Message string
	// Status is the HTTP status; 0 without a response.
	Status int
	// Title is short and constant; empty if the service sent none.
	Title string
	// Fields are all invalid fields of the request.
	Fields []FieldProblem
	// Limit is the exceeded rate limit.
	Limit string
	// Retryable is true if the same request may succeed later. Repeating it safely may still need an idempotency key.
	Retryable bool
	// RetryAfter is the delay that the service asks for; nil if it asks for none.
	RetryAfter *time.Duration
	// RequestID is for support.
	RequestID string
	cause     error
}

func (e *Error) Error() string {
	return fmt.Sprintf("paylatch: %s (%s)", e.Message, e.Code)
}

// Unwrap returns the cause of an unreachable service.
func (e *Error) Unwrap() error {
	return e.cause
}

func responseError(response *http.Response, body []byte) *Error {
	status := response.StatusCode
	retryAfter := parseRetryAfter(response.Header.Get("Retry-After"))
	var given struct {
		Problem
		// RFC 6749, section 5.2: error format of the token endpoint.
		OAuthError       string `json:"error"`
		OAuthDescription string `json:"error_description"`
	}
	if json.Unmarshal(body, &given) == nil && given.Problem.Code != "" && given.Detail != "" {
		failure := &Error{
			Code:       given.Problem.Code,
			Message:    given.Detail,
			Status:     status,
			Title:      given.Title,
			Fields:     given.Errors,
			Retryable:  given.Retryable,
			RetryAfter: retryAfter,
			RequestID:  given.RequestID,
		}
		if given.Limit != nil {
			failure.Limit = *given.Limit
		}
		return failure
	}
	if given.OAuthError != "" {
		message := given.OAuthDescription
		if message == "" {
			message = given.OAuthError
		}
		return &Error{Code: "token_refused", Message: message, Status: status}
	}
	return &Error{
		Code:       "unexpected_response",
		Message:    fmt.Sprintf("Unexpected response with status %d. Check the base URL, and any proxy in front of the service.", status),
		Status:     status,
		Retryable:  status == 429 || status == 502 || status == 503 || status == 504,
		RetryAfter: retryAfter,
		RequestID:  response.Header.Get("Request-Id"),
	}
}
