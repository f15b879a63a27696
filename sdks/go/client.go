// Package paylatch is a client of the Paylatch API, and verifies and receives its webhooks.
package paylatch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"time"
)

const (
	defaultTimeout       = 60 * time.Second
	defaultMaxRetries    = 2
	defaultMaxRetryDelay = 60 * time.Second
	firstDelay           = 250 * time.Millisecond
	maxPerPage           = 100
	maxEvents            = 100
	waitSeconds          = 30
	// minWaitTimeout is the shortest timeout of a request that waits for events.
	minWaitTimeout = (waitSeconds + 10) * time.Second
)

var userAgent = "paylatch-go/" + Version + " " + strings.ReplaceAll(runtime.Version(), " ", "-")

// TokenSource returns an access token. It is called before every request, so the token may change.
type TokenSource func(context.Context) (string, error)

// rejectedToken is the key of the token that the service rejected, in the context of a TokenSource.
type rejectedToken struct{}

// StaticToken returns the same access token for every request.
func StaticToken(token string) TokenSource {
	return func(context.Context) (string, error) { return token, nil }
}

// Config configures a Client. BaseURL and Token are required.
type Config struct {
	// BaseURL of the service, such as https://pay.example.
	BaseURL string
	Token   TokenSource
	// Header is sent with every request, in addition to the client's own.
	Header http.Header
	// MaxRetries is the number of retries of requests that are safe to repeat. Default: 2; a negative number disables
	// retries.
	MaxRetries int
	// MaxRetryDelay is the longest delay before a retry. Default: 60 s. If the service asks for a longer delay, the
	// call fails.
	MaxRetryDelay time.Duration
	// Timeout of a response. Default: 60 s.
	Timeout time.Duration
	// Transport sends the requests. Default: http.DefaultTransport.
	Transport http.RoundTripper
}

// Client of the merchant API. Its methods return an *Error if a call fails. Goroutines may share a client.
//
// Reads, and calls with an idempotency key, are retried. All other calls are sent once.
type Client struct {
	config Config
	http   *http.Client
}

// NewClient returns a client, or an error if the configuration is not valid.
func NewClient(config Config) (*Client, error) {
	if config.Token == nil {
		return nil, errors.New("paylatch: Token is required")
	}
	base, err := checkedURL(config.BaseURL)
	if err != nil {
		return nil, err
	}
	config.BaseURL = base
	if config.MaxRetries == 0 {
		config.MaxRetries = defaultMaxRetries
	}
	if config.MaxRetryDelay == 0 {
		config.MaxRetryDelay = defaultMaxRetryDelay
	}
	if config.Timeout == 0 {
		config.Timeout = defaultTimeout
	}
	return &Client{config: config, http: newHTTPClient(config.Transport)}, nil
}

// checkedURL keeps a path, for a service behind a reverse proxy.
func checkedURL(base string) (string, error) {
	parsed, err := url.Parse(base)
	if err != nil || (parsed.Scheme != "https" && parsed.Scheme != "http") || parsed.Host == "" {
		return "", fmt.Errorf("paylatch: BaseURL must start with https:// or http://, not %q", base)
	}
	return strings.TrimRight(base, "/"), nil
}

func newHTTPClient(transport http.RoundTripper) *http.Client {
	return &http.Client{
		Transport: transport,
		// The API never redirects. Following a redirect would turn a POST into a GET.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// CallOption changes one call.
type CallOption func(*callOptions)

type callOptions struct {
	idempotencyKey string
	timeout        time.Duration
}

// IdempotencyKey makes a call safe to repeat: within 24 hours, requests with the same key run once. 1 to 255 ASCII
// characters. The call fails if its operation accepts no key.
func IdempotencyKey(key string) CallOption {
	return func(options *callOptions) { options.idempotencyKey = key }
}

// Timeout sets the response timeout of a call.
func Timeout(timeout time.Duration) CallOption {
	return func(options *callOptions) { options.timeout = timeout }
}

// Ptr returns a pointer to a value, for optional numbers and booleans.
func Ptr[T any](value T) *T {
	return &value
}

// Nullable is an optional field that the API also accepts as null: Value, Null, or nil to omit it.
type Nullable[T any] map[bool]T

// Value is a Nullable with a value.
func Value[T any](value T) Nullable[T] {
	return Nullable[T]{true: value}
}

// Null is a Nullable that is sent as null.
func Null[T any]() Nullable[T] {
	var none T
	return Nullable[T]{false: none}
}

// MarshalJSON returns the value, or null. encoding/json omits a nil map itself.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if value, ok := n[true]; ok {
		return json.Marshal(value)
	}
	return []byte("null"), nil
}

// Iterator reads a list page by page:
//
//	transactions := client.IterateTransactions(paylatch.ListTransactionsInput{})
//	for transactions.Next(ctx) {
//		fmt.Println(transactions.Item().TransactionID)
//	}
//	if err := transactions.Err(); err != nil {
type Iterator[T any] struct {
	fetch   func(context.Context) (items []T, hasMore bool, err error)
	items   []T
	current T
	isLast  bool
	err     error
}

// Next advances to the next item. It returns false at the end, and after an error.
func (i *Iterator[T]) Next(ctx context.Context) bool {
	for len(i.items) == 0 {
		if i.isLast || i.err != nil {
			return false
		}
		items, hasMore, err := i.fetch(ctx)
		i.items, i.isLast, i.err = items, !hasMore, err
	}
	i.current, i.items = i.items[0], i.items[1:]
	return true
}

// Item returns the current item.
func (i *Iterator[T]) Item() T {
	return i.current
}

// Err returns the error that ended the iteration, if any.
func (i *Iterator[T]) Err() error {
	return i.err
}

// FollowEvents passes events to handle until ctx is done or handle fails, starting after a cursor, or with the oldest
// stored event if it is empty. Store next once the events are processed; pass it as after to resume without gaps. The
// timeout of its requests is at least 40 s: the service holds them for up to 30 s.
func (c *Client) FollowEvents(ctx context.Context, after string, handle func(events []ListEventsResponseEvent, next string) error) error {
	timeout := c.config.Timeout
	if timeout < minWaitTimeout {
		timeout = minWaitTimeout
	}
	for {
		input := ListEventsInput{After: after, Limit: Ptr[int64](maxEvents), Wait: Ptr[int64](waitSeconds)}
		page, err := c.ListEvents(ctx, input, Timeout(timeout))
		if err != nil {
			return err
		}
		if page.Next == nil {
			continue
		}
		after = *page.Next
		if len(page.Events) == 0 {
			continue
		}
		if err := handle(page.Events, after); err != nil {
			return err
		}
	}
}

// endpoint is the method and path of an operation, and where its input is sent.
type endpoint struct {
	method, path, sends string
}

func (c *Client) call(ctx context.Context, to endpoint, input, result any, given []CallOption) error {
	options := callOptions{timeout: c.config.Timeout}
	for _, option := range given {
		option(&options)
	}
	address, body, err := c.requestOf(to, input)
	if err != nil {
		return err
	}
	isRepeatable := to.method == http.MethodGet || options.idempotencyKey != ""
	tokenContext := ctx
	var rejection *Error
	for attempt := 0; ; attempt++ {
		header := http.Header{}
		for name, values := range c.config.Header {
			header[http.CanonicalHeaderKey(name)] = values
		}
		if options.idempotencyKey != "" {
			header.Set("Idempotency-Key", options.idempotencyKey)
		}
		if body != nil {
			header.Set("Content-Type", "application/json")
		}
		token, err := c.config.Token(tokenContext)
		if rejection != nil && token == tokenContext.Value(rejectedToken{}) {
			return rejection
		}
		if err == nil {
			header.Set("Authorization", "Bearer "+token)
			err = send(ctx, c.http, request{to.method, address, header, body, options.timeout}, result)
		}
		var failure *Error
		// The service has not run the request, so every request can be repeated. Once, with another token.
		if errors.As(err, &failure) && failure.Code == "unauthorized" && rejection == nil {
			rejection, tokenContext = failure, context.WithValue(ctx, rejectedToken{}, token)
			attempt--
			continue
		}
		if err == nil || failure == nil || !failure.Retryable || !isRepeatable || attempt >= c.config.MaxRetries {
			return err
		}
		delay := retryDelay(attempt, failure)
		if delay > c.config.MaxRetryDelay {
			return err
		}
		timer := time.NewTimer(delay)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

func (c *Client) requestOf(to endpoint, input any) (string, []byte, error) {
	address := c.config.BaseURL + to.path
	if to.sends == "nothing" {
		return address, nil, nil
	}
	if input == nil {
		input = struct{}{}
	}
	body, err := json.Marshal(input)
	if err != nil || to.sends == "body" {
		return address, body, err
	}
	// The JSON names of the fields are the parameters.
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var parameters map[string]any
	if err := decoder.Decode(&parameters); err != nil {
		return "", nil, err
	}
	query := url.Values{}
	for name, value := range parameters {
		switch value := value.(type) {
		case []any:
			texts := make([]string, len(value))
			for i, each := range value {
				texts[i] = fmt.Sprint(each)
			}
			query.Set(name, strings.Join(texts, ","))
		case map[string]any:
			// One parameter per key, such as metadata[order].
			for key, each := range value {
				query.Set(name+"["+key+"]", fmt.Sprint(each))
			}
		default:
			query.Set(name, fmt.Sprint(value))
		}
	}
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address, nil, nil
}

// retryDelay is the delay that the service asks for, otherwise exponential backoff with jitter.
func retryDelay(attempt int, failure *Error) time.Duration {
	if failure.RetryAfter != nil {
		return *failure.RetryAfter
	}
	return time.Duration(float64(firstDelay) * float64(int(1)<<attempt) * (0.5 + rand.Float64()/2))
}

type request struct {
	method, address string
	header          http.Header
	body            []byte
	timeout         time.Duration
}

// send sends one request and decodes the body of a successful response.
func send(parent context.Context, client *http.Client, given request, result any) error {
	ctx, cancel := context.WithTimeout(parent, given.timeout)
	defer cancel()
	sent, err := http.NewRequestWithContext(ctx, given.method, given.address, bytes.NewReader(given.body))
	if err != nil {
		return err
	}
	sent.Header = given.header
	sent.Header.Set("Accept", "application/json")
	if sent.Header.Get("User-Agent") == "" {
		sent.Header.Set("User-Agent", userAgent)
	}
	response, err := client.Do(sent)
	if err != nil {
		return connectionError(parent, ctx, given.timeout, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return connectionError(parent, ctx, given.timeout, err)
	}
	if response.StatusCode < 200 || response.StatusCode > 299 || json.Unmarshal(body, result) != nil {
		return responseError(response, body)
	}
	return nil
}

func connectionError(parent, ctx context.Context, timeout time.Duration, cause error) error {
	if parent.Err() != nil {
		return parent.Err()
	}
	if ctx.Err() != nil {
		message := "The service did not respond within " + timeout.String() + "."
		return &Error{Code: "timed_out", Message: message, Retryable: true, cause: cause}
	}
	message := "The service is unreachable. Check the base URL and the network."
	return &Error{Code: "unreachable", Message: message, Retryable: true, cause: cause}
}

func parseRetryAfter(header string) *time.Duration {
	seconds, err := strconv.ParseUint(header, 10, 30)
	if err != nil {
		return nil
	}
	return Ptr(time.Duration(seconds) * time.Second)
}
