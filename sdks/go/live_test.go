//go:build live

// Against a running sandbox: test/sdks/sdks.test.ts starts it and sets the environment.
package paylatch_test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net/http"
	"os"
	"sort"
	"strings"
	"testing"
	"time"

	"paylatch"
)

var ctx = context.Background()

func random() string {
	bytes := make([]byte, 8)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return hex.EncodeToString(bytes)
}

// client fails as often as a fault says, such as cut:1.
func client(t *testing.T, fault string, change ...func(*paylatch.Config)) *paylatch.Client {
	t.Helper()
	config := paylatch.Config{BaseURL: os.Getenv("BASE_URL"), Token: paylatch.StaticToken(os.Getenv("ACCESS_TOKEN"))}
	if fault != "" {
		config.BaseURL = os.Getenv("FAULT_URL")
		config.Header = http.Header{"x-fault": {fault + ":" + random()}}
	}
	for _, each := range change {
		each(&config)
	}
	client, err := paylatch.NewClient(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func once(config *paylatch.Config) {
	config.MaxRetries = -1
}

func order() paylatch.CreateTransactionInput {
	return paylatch.CreateTransactionInput{
		TransactionID: "go-" + random(),
		PaymentMethod: "credit_card",
		Amount:        12.50,
		Country:       "USA",
		Currency:      paylatch.CurrencyUSD,
		Description:   "Two cups and a saucer",
		LineItems: []paylatch.LineItemInput{
			{Name: "Cup", Quantity: paylatch.Ptr[int64](2), UnitAmount: 4.25},
			{Name: "Saucer", UnitAmount: 4},
		},
		SuccessRedirectURL: paylatch.Value("https://shop.example/paid"),
		FailRedirectURL:    paylatch.Null[string](),
		TypeOfCalculation:  "forward_without_fee",
	}
}

func card(reference, number string) paylatch.SubmitCardInput {
	return paylatch.SubmitCardInput{
		TransactionID:   reference,
		CardNumber:      number,
		CardExpiryMonth: "04",
		CardExpiryYear:  "2040",
		CardCvv:         "123",
		FirstName:       "Ada",
		LastName:        "Lovelace",
		Country:         "GB",
		City:            "London",
		Postcode:        "W1J 7NT",
		Address:         "12 St James’s Square",
		Phone:           "+44 20 7946 0000",
		Email:           "ada@example.com",
	}
}

func must[T any](t *testing.T) func(*T, error) *T {
	return func(value *T, err error) *T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func create(t *testing.T, client *paylatch.Client) string {
	t.Helper()
	input := order()
	must[paylatch.CreateTransactionResponse](t)(client.CreateTransaction(ctx, input))
	return input.TransactionID.(string)
}

func pay(t *testing.T, client *paylatch.Client) string {
	t.Helper()
	reference := create(t, client)
	paid := must[paylatch.SubmitCardResponse](t)(client.SubmitCard(ctx, card(reference, "4242424242424242")))
	if paid.ResponseType != "confirmed" {
		t.Fatalf("%+v", paid)
	}
	return reference
}

func refunded(t *testing.T, client *paylatch.Client, reference string) float64 {
	t.Helper()
	detail := must[paylatch.TransactionDetail](t)(client.GetTransaction(ctx, paylatch.GetTransactionInput{TransactionID: reference}))
	return detail.RefundedAmount
}

func fails(t *testing.T, code paylatch.ProblemCode, err error) *paylatch.Error {
	t.Helper()
	var failure *paylatch.Error
	if !errors.As(err, &failure) || failure.Code != code {
		t.Fatalf("%v instead of %s", err, code)
	}
	return failure
}

func TestLiveTakesAndRefundsAPayment(t *testing.T) {
	client := client(t, "")
	input := order()
	expiresAt := time.Now().Add(time.Hour).Truncate(time.Microsecond)
	input.ExpiresAt = &expiresAt
	created := must[paylatch.CreateTransactionResponse](t)(client.CreateTransaction(ctx, input))
	link, ok := created.Value.(*paylatch.LinkCreated)
	if !ok || !strings.HasPrefix(link.Value.Link, os.Getenv("BASE_URL")) || !link.ExpiresAt.Equal(expiresAt) {
		t.Fatalf("%+v", created.Value)
	}
	declined := must[paylatch.SubmitCardResponse](t)(client.SubmitCard(ctx, card(link.TransactionID, "4000000000000002")))
	if declined.ResponseType != "declined" || !declined.Decline.Retryable {
		t.Fatalf("%+v", declined)
	}
	must[paylatch.SubmitCardResponse](t)(client.SubmitCard(ctx, card(link.TransactionID, "4242424242424242")))
	refund := paylatch.RefundTransactionInput{TransactionID: link.TransactionID, Amount: paylatch.Ptr(0.10)}
	if _, err := client.RefundTransaction(ctx, refund); err != nil {
		t.Fatal(err)
	}
	detail := must[paylatch.TransactionDetail](t)(client.GetTransaction(ctx, paylatch.GetTransactionInput{TransactionID: link.TransactionID}))
	if detail.Amount != 12.5 || detail.RefundedAmount != 0.1 || detail.Status != paylatch.TransactionStatusConfirmed {
		t.Fatalf("%+v", detail)
	}
}

func TestLiveListsAllPages(t *testing.T) {
	client := client(t, "")
	var references []string
	for i := 0; i < 5; i++ {
		references = append([]string{create(t, client)}, references...)
	}
	first := must[paylatch.ListTransactionsResponse](t)(client.ListTransactions(ctx, paylatch.ListTransactionsInput{PerPage: paylatch.Ptr[int64](2)}))
	if len(first.Transactions) != 2 {
		t.Fatalf("%+v", first)
	}
	listed, known := []string{}, map[string]bool{}
	transactions := client.IterateTransactions(paylatch.ListTransactionsInput{PerPage: paylatch.Ptr[int64](2), OrderDirection: "desc"})
	for transactions.Next(ctx) {
		listed = append(listed, transactions.Item().TransactionID)
		known[transactions.Item().TransactionID] = true
	}
	if err := transactions.Err(); err != nil || strings.Join(listed[:5], " ") != strings.Join(references, " ") || len(known) != len(listed) {
		t.Fatal(err, listed, references)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	transactions = client.IterateTransactions(paylatch.ListTransactionsInput{})
	if transactions.Next(ended) || !errors.Is(transactions.Err(), context.Canceled) {
		t.Fatal(transactions.Err())
	}
}

func TestLiveFindsRecordsByMetadata(t *testing.T) {
	client := client(t, "")
	metadata := map[string]string{"order id": "A&B 1001", "shop": "kettle"}
	for _, each := range []map[string]string{{"order id": "another"}, metadata} {
		input := order()
		input.Metadata = each
		must[paylatch.CreateTransactionResponse](t)(client.CreateTransaction(ctx, input))
	}
	found := must[paylatch.ListTransactionsResponse](t)(client.ListTransactions(ctx, paylatch.ListTransactionsInput{Metadata: metadata}))
	if len(found.Transactions) != 1 {
		t.Fatalf("%+v", found)
	}
}

func TestLiveRetriesWithTheSameIdempotencyKey(t *testing.T) {
	direct := client(t, "")
	reference := pay(t, direct)
	refund := paylatch.RefundTransactionInput{TransactionID: reference, Amount: paylatch.Ptr(2.0)}
	// The service refunds, but its response is lost.
	if _, err := client(t, "cut:1").RefundTransaction(ctx, refund, paylatch.IdempotencyKey("refund "+reference)); err != nil {
		t.Fatal(err)
	}
	if amount := refunded(t, direct, reference); amount != 2 {
		t.Fatalf("refunded %v", amount)
	}
	if _, err := client(t, "bad_gateway:2").RefundTransaction(ctx, refund, paylatch.IdempotencyKey("more "+reference)); err != nil {
		t.Fatal(err)
	}
	if amount := refunded(t, direct, reference); amount != 4 {
		t.Fatalf("refunded %v", amount)
	}
	_, err := client(t, "cut:1").RefundTransaction(ctx, refund)
	if lost := fails(t, "unreachable", err); !lost.Retryable || lost.Unwrap() == nil {
		t.Fatalf("%+v", lost)
	}
	refund.Amount = paylatch.Ptr(3.0)
	_, err = direct.RefundTransaction(ctx, refund, paylatch.IdempotencyKey("refund "+reference))
	fails(t, paylatch.ProblemCodeIdempotencyKeyReused, err)
}

func TestLiveRetriesReads(t *testing.T) {
	if _, err := client(t, "bad_gateway:2").ListCurrencies(ctx); err != nil {
		t.Fatal(err)
	}
	_, err := client(t, "busy:1", func(config *paylatch.Config) { config.MaxRetryDelay = time.Millisecond }).ListCurrencies(ctx)
	if busy := fails(t, paylatch.ProblemCodeRateLimited, err); *busy.RetryAfter != time.Second || busy.Limit != "token" {
		t.Fatalf("%+v", busy)
	}
	flaky := client(t, "bad_gateway:1", once)
	must[paylatch.ListCurrenciesResponse](t)(client(t, "", func(config *paylatch.Config) {
		config.Token = func(ctx context.Context) (string, error) {
			_, err := flaky.ListCurrencies(ctx)
			return os.Getenv("ACCESS_TOKEN"), err
		}
	}).ListCurrencies(ctx))
	_, err = client(t, "bad_gateway:1", once).ListCurrencies(ctx)
	if bad := fails(t, "unexpected_response", err); bad.Status != 502 || !bad.Retryable {
		t.Fatalf("%+v", bad)
	}
	_, err = client(t, "hang:1", once).ListCurrencies(ctx, paylatch.Timeout(200*time.Millisecond))
	fails(t, "timed_out", err)
	_, err = client(t, "redirect:1", once).ListCurrencies(ctx)
	fails(t, "unexpected_response", err)
	short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	if _, err = client(t, "busy:9").ListCurrencies(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
}

func TestLiveMapsErrors(t *testing.T) {
	input := order()
	input.Amount, input.Country = 0.001, "XXX"
	_, err := client(t, "").CreateTransaction(ctx, input)
	wrong := fails(t, paylatch.ProblemCodeValidationFailed, err)
	var pointers []string
	for _, field := range wrong.Fields {
		pointers = append(pointers, field.Pointer)
	}
	sort.Strings(pointers)
	if strings.Join(pointers, " ") != "/amount /country" || wrong.Status != 422 || !strings.HasPrefix(wrong.RequestID, "req_") {
		t.Fatalf("%+v", wrong)
	}
	_, err = client(t, "").GetTransaction(ctx, paylatch.GetTransactionInput{TransactionID: "order-of-nobody"})
	fails(t, paylatch.ProblemCodeNotFound, err)
	stranger := client(t, "", func(config *paylatch.Config) { config.Token = paylatch.StaticToken("pl_test_stranger") })
	_, err = stranger.ListCurrencies(ctx)
	fails(t, paylatch.ProblemCodeUnauthorized, err)
	closed := client(t, "", once, func(config *paylatch.Config) { config.BaseURL = "http://127.0.0.1:9" })
	_, err = closed.ListCurrencies(ctx)
	fails(t, "unreachable", err)
	if _, err = paylatch.NewClient(paylatch.Config{BaseURL: "file:///etc/passwd", Token: paylatch.StaticToken("")}); err == nil {
		t.Fatal("A file was accepted as a base URL")
	}
}

func TestLiveGetsTokensWithClientCredentials(t *testing.T) {
	credentials := paylatch.ClientCredentials{
		BaseURL:      os.Getenv("FAULT_URL"),
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
	}
	source := credentials.TokenSource()
	authorized := client(t, "", func(config *paylatch.Config) { config.Token = source })
	must[paylatch.ListCurrenciesResponse](t)(authorized.ListCurrencies(ctx))
	first, _ := source(ctx)
	if second, _ := source(ctx); first != second || first == "" {
		t.Fatalf("%q, %q", first, second)
	}
	rejecting := func(fault string) *paylatch.Client {
		return client(t, fault, func(config *paylatch.Config) { config.Token = source })
	}
	create(t, rejecting("unauthorized:1"))
	if second, _ := source(ctx); first == second {
		t.Fatal("the rejected token is used again")
	}
	_, err := rejecting("unauthorized:2").ListCurrencies(ctx)
	fails(t, "unauthorized", err)
	credentials.ClientSecret = "wrong"
	_, err = client(t, "", func(config *paylatch.Config) { config.Token = credentials.TokenSource() }).ListCurrencies(ctx)
	fails(t, "token_refused", err)
}

func TestLiveSendsNull(t *testing.T) {
	for _, value := range []any{"Kettle", nil} {
		set := must[paylatch.Preference](t)(client(t, "").SetPreference(ctx, paylatch.SetPreferenceInput{Key: "brand-name", Value: value}))
		if set.Value != value {
			t.Fatalf("%v instead of %v", set.Value, value)
		}
	}
}

func TestLiveFollowsEvents(t *testing.T) {
	reference := pay(t, client(t, ""))
	found := errors.New("found")
	// The service holds these requests longer than the client's timeout.
	impatient := func(config *paylatch.Config) { config.Timeout = time.Nanosecond }
	err := client(t, "", once, impatient).FollowEvents(ctx, "", func(events []paylatch.ListEventsResponseEvent, _ string) error {
		for _, event := range events {
			updated, ok := event.Value.(*paylatch.TransactionEvent)
			if ok && updated.Data.TransactionID == reference && updated.Data.Status == paylatch.TransactionStatusConfirmed {
				return found
			}
		}
		return nil
	})
	if !errors.Is(err, found) {
		t.Fatal(err)
	}
}
