// A shop that creates payment links and receives webhooks:
//
//	ACCESS_TOKEN=pl_test_… MERCHANT_ID=1 WEBHOOK_SECRET=whsec_… go run ./examples/server
//
// POST /pay?order=order-1001 redirects to a payment page; POST /webhooks is the webhook endpoint.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"paylatch"
)

func main() {
	client, err := paylatch.NewClient(paylatch.Config{
		BaseURL: env("BASE_URL", "http://localhost:8080"),
		Token:   paylatch.StaticToken(os.Getenv("ACCESS_TOKEN")),
	})
	if err != nil {
		log.Fatal(err)
	}
	merchantID, err := strconv.ParseInt(os.Getenv("MERCHANT_ID"), 10, 64)
	if err != nil {
		log.Fatal("MERCHANT_ID is not a number")
	}
	verifier, err := paylatch.NewWebhookVerifier(merchantID, strings.Split(os.Getenv("WEBHOOK_SECRET"), ",")...)
	if err != nil {
		log.Fatal(err)
	}
	// Implement paylatch.WebhookStore with your database, so that no acknowledged webhook is lost.
	receiver := paylatch.NewWebhookReceiver(verifier, paylatch.NewMemoryStore(), handle)
	go func() { log.Fatal(receiver.Run(context.Background())) }()

	http.Handle("/webhooks", receiver)
	http.HandleFunc("/pay", func(response http.ResponseWriter, request *http.Request) { pay(client, response, request) })
	server := http.Server{Addr: "127.0.0.1:" + env("PORT", "8093"), ReadTimeout: 30 * time.Second}
	log.Fatal(server.ListenAndServe())
}

func handle(_ context.Context, event *paylatch.WebhookEvent) error {
	switch event := event.Value.(type) {
	case *paylatch.FiatTransactionUpdatedWebhook:
		// Fulfill the order here, once: update it where its status is not yet event.Data.Status.
		fmt.Printf("%s: %s, %d\n", event.Data.TransactionID, event.Data.Status, event.Data.Sequence)
	default:
		fmt.Println("another event")
	}
	return nil
}

func pay(client *paylatch.Client, response http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodPost {
		response.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	order := request.URL.Query().Get("order")
	created, err := client.CreateTransaction(request.Context(), paylatch.CreateTransactionInput{
		TransactionID:      order,
		PaymentMethod:      "credit_card",
		Amount:             12.50,
		Country:            "USA",
		Currency:           paylatch.CurrencyUSD,
		Description:        "Two cups and a saucer",
		SuccessRedirectURL: paylatch.Value("https://shop.example/paid"),
		FailRedirectURL:    paylatch.Value("https://shop.example/failed"),
		TypeOfCalculation:  "forward_without_fee",
	}, paylatch.IdempotencyKey(order))
	var failure *paylatch.Error
	if errors.As(err, &failure) {
		log.Printf("%s (request %s)", failure, failure.RequestID)
		response.WriteHeader(http.StatusBadGateway)
		return
	}
	if err != nil {
		response.WriteHeader(http.StatusInternalServerError)
		return
	}
	if link, ok := created.Value.(*paylatch.LinkCreated); ok {
		http.Redirect(response, request, link.Value.Link, http.StatusSeeOther)
	}
}

func env(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}
